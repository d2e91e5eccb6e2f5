import { eventExamples } from '@parley/contracts/event-examples';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { Known } from './open.ts';
import { hasSecretToken, verifyWebhook, WebhookVerificationError } from './webhook.ts';

// The library of Standard Webhooks is the oracle: both accept and reject the same deliveries.

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const now = new Date('2026-11-21T09:30:00.700Z');

const signed = (body: string, { id = 'msg_1', by = secret, at = now } = {}) => ({
  headers: {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign(id, at, body),
  },
  body,
});
const verdict = (received: Parameters<typeof verifyWebhook>[0], by = secret, at = now) =>
  verifyWebhook(received, by, at).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return false;
    },
  );

describe('a delivery', () => {
  test('that is signed is accepted: as text, as bytes, with any kind of header', async () => {
    const key = fc.uint8Array({ minLength: 24, maxLength: 64 });
    await fc.assert(
      fc.asyncProperty(key, fc.json(), async (bytes, body) => {
        fc.pre(!body.includes('"type"'));
        const by = `whsec_${Buffer.from(bytes).toString('base64')}`;
        const { headers } = signed(body, { by });
        const event = await verifyWebhook({ headers, body }, by, now);
        expect(event).toEqual({
          id: 'msg_1',
          sentAt: new Date('2026-11-21T09:30:00Z'),
          type: 'InteractionHistory',
          data: JSON.parse(body),
        });
        const capitals = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
        );
        for (const kind of [new Headers(headers), capitals])
          expect(
            await verifyWebhook({ headers: kind, body: new TextEncoder().encode(body) }, by, now),
          ).toEqual(event);
      }),
    );
  });

  test('with an envelope is returned by its type, with the type of its data', async () => {
    const example = eventExamples.InteractionExpired;
    const sent = {
      id: 'an id',
      type: 'InteractionExpired',
      timestamp: '2026-11-21T09:29:59.000Z',
      data: example,
    };
    const event = await verifyWebhook(signed(JSON.stringify(sent), { id: 'an id' }), secret, now);
    expect(event).toEqual({ ...sent, sentAt: new Date('2026-11-21T09:30:00Z') });
    if (event.type !== 'InteractionExpired') throw new Error('another type');
    const { reason } = event.data;
    expect(reason).toBe('clock' satisfies Known<typeof reason>);
  });

  test('that was changed anywhere is rejected', async () => {
    const body = JSON.stringify({ customer_id: 'c', evaluation: { score: '9' } });
    const good = signed(body);
    const anyChange = fc.record({ place: fc.nat(body.length - 1), by: fc.integer({ min: 1, max: 127 }) });
    await fc.assert(
      fc.asyncProperty(anyChange, async ({ place, by }) => {
        const bytes = Buffer.from(body);
        bytes[place] = (bytes[place] ?? 0) ^ by;
        expect(await verdict({ ...good, body: bytes })).toBe(false);
      }),
    );
    const { headers } = good;
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(await verdict({ body, headers: { ...headers, 'webhook-id': 'msg_2' } })).toBe(false);
    expect(await verdict({ body, headers: { ...headers, 'webhook-timestamp': later } })).toBe(false);
    expect(await verdict(good, other)).toBe(false);
    expect(await verdict(good)).toBe(true);
  });

  test('may have several signatures, one of which must match; other versions are ignored', async () => {
    const body = '{}';
    const at = new Date();
    const mine = signed(body, { at }).headers['webhook-signature'];
    const foreign = signed(body, { at, by: other }).headers['webhook-signature'];
    const lists: [string, boolean][] = [
      [`${foreign} ${mine}`, true],
      [`${mine} ${foreign}`, true],
      [`v1a,AAAA v1,*** ${mine}`, true],
      [foreign, false],
      [mine.replace('v1,', 'v2,'), false],
      [mine.replace('v1,', ''), false],
      [mine.slice(0, -4), false],
      ['v1,', false],
      ['', false],
    ];
    for (const [signature, fits] of lists) {
      const headers = { ...signed(body, { at }).headers, 'webhook-signature': signature };
      const ours = await verdict({ headers, body }, secret, at);
      expect([signature, ours, oracle(headers, body)]).toEqual([signature, fits, fits]);
    }
  });

  test('is accepted up to five minutes before and after its time', async () => {
    const at = (seconds: number) => verdict(signed('{}'), secret, new Date(now.getTime() + seconds * 1000));
    expect(await Promise.all([-301, -300, 0, 300, 301].map(at))).toEqual([false, true, true, true, false]);
  });

  test('that was sent long ago is rejected, also by a tolerance that is no number', async () => {
    const at = new Date(now.getTime() + 3600_000);
    const verified = verifyWebhook(signed('{}'), secret, { now: at, toleranceSeconds: Number.NaN });
    await expect(verified).rejects.toThrow(
      new WebhookVerificationError('webhook-timestamp is too far from now'),
    );
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'without %s is rejected',
    async (name) => {
      const { headers, body } = signed('{}');
      expect(await verdict({ headers: { ...headers, [name]: undefined }, body })).toBe(false);
      expect(await verdict({ headers: { ...headers, [name]: ['a', 'b'] }, body })).toBe(false);
      expect(await verdict({ headers: { ...headers, [name]: 'x' }, body })).toBe(false);
    },
  );

  test.each([{ customer_id: 'c' }, {}, undefined, null, 7])(
    'with a parsed body is a TypeError with advice: %o',
    async (body) => {
      const { headers } = signed('{}');
      const received = { headers, body: body as string };
      await expect(verifyWebhook(received, secret, now)).rejects.toThrow(
        new TypeError(
          'body must be a string or bytes as they were received: pass the raw body, for example express.raw()',
        ),
      );
    },
  );

  test.each(['whsec_*', 'whsec_', '', null, undefined])(
    'with the secret %j is a TypeError that says so',
    async (invalid) => {
      const verified = verifyWebhook(signed('{}'), invalid as string, now);
      await expect(verified).rejects.toThrow(new TypeError('the signing secret is not whsec_ and base64'));
    },
  );
});

function oracle(headers: Record<string, string>, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

test('the secret token of a URL is distinguished from others', async () => {
  const token = fc.string({ unit: 'grapheme', minLength: 1 });
  await fc.assert(
    fc.asyncProperty(token, token, async (sent, expected) => {
      const url = `/hook?kept=1&secretToken=${encodeURIComponent(sent)}`;
      expect(await hasSecretToken(url, sent)).toBe(true);
      expect(await hasSecretToken(`https://me.example${url}`, expected)).toBe(sent === expected);
      expect(await hasSecretToken(url, sent, 'token')).toBe(false);
    }),
  );
  expect(await hasSecretToken('/hook', 's')).toBe(false);
  // A variable that is not set must not open the receiver.
  expect(await hasSecretToken('/hook?secretToken=', '')).toBe(false);
});
