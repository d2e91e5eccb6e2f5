import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newSigningSecret, signatures } from './signing.ts';

const json = fc.json().map((text) => Buffer.from(text));
const secrets = fc
  .array(fc.constant(null), { minLength: 1, maxLength: 4 })
  .map((list) => list.map(newSigningSecret));

test('every live secret verifies the signatures with the official library', () => {
  fc.assert(
    fc.property(json, fc.uuid(), secrets, (body, id, live) => {
      const timestampSeconds = Math.floor(Date.now() / 1_000);
      const header = signatures(live, { id, timestampSeconds, body });
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': header,
      };
      for (const secret of live) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
      expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow('No matching signature');
    }),
  );
});

test("a signature is the official library's to the byte", () => {
  fc.assert(
    fc.property(json, fc.uuid(), fc.integer({ min: 0, max: 4e9 }), (body, id, timestampSeconds) => {
      const secret = newSigningSecret();
      const expected = new Webhook(secret).sign(id, new Date(timestampSeconds * 1_000), body);
      expect(signatures([secret], { id, timestampSeconds, body })).toBe(expected);
    }),
  );
});

test('a changed body, id or time does not verify', () => {
  const secret = newSigningSecret();
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const header = signatures([secret], { id: 'msg_1', timestampSeconds, body: Buffer.from('{"a":1}') });
  const verify = (id: string, time: number, body: string) => () =>
    new Webhook(secret).verify(body, {
      'webhook-id': id,
      'webhook-timestamp': String(time),
      'webhook-signature': header,
    });
  expect(verify('msg_1', timestampSeconds, '{"a":1}')).not.toThrow();
  expect(verify('msg_1', timestampSeconds, '{"a":2}')).toThrow();
  expect(verify('msg_2', timestampSeconds, '{"a":1}')).toThrow();
  expect(verify('msg_1', timestampSeconds - 1, '{"a":1}')).toThrow();
});

test('a new secret is whsec_ and 32 random bytes in base64', () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(secret).not.toBe(newSigningSecret());
});
