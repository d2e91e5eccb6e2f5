import { unavailable } from '@parley/runtime/errors';
import { request } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { interaction } from '../fakes/interactions.ts';
import { known } from '../fakes/known.ts';
import { basic, type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());

const pathOf = (customerId: string): string =>
  `/v1/workspaces/${known.workspaceId}/customers/${encodeURIComponent(customerId)}/export`;
const path = pathOf(known.customerId);

interface Export {
  interactions: { id: string; evaluation: unknown; transcript: { body: string }[] }[];
  deliveries: { receiver: string }[];
}

const asked = (method: string) => surface.services.seen.filter((one) => one.method === method).length;
const makeHistory = (count: number, bodyBytes = 1) =>
  Array.from({ length: count }, (_, n) => {
    const transcript = [{ body: `${n}${'x'.repeat(bodyBytes)}`, timestamp: 1.5, type: 'customer' }];
    const about = { customer_id: known.customerId, interaction_id: known.interactionId };
    const data = JSON.stringify({ ...about, evaluation: { score: '9' }, transcript });
    return { ...interaction, id: uuidv7(), data };
  });

beforeEach(() => {
  surface.services.before.clear();
  surface.services.seen.length = 0;
  surface.services.history = makeHistory(3);
});

test('is one document of several parts: profile, interactions, deliveries', async () => {
  const answer = await surface.call('GET', path);
  const { data, meta } = answer.envelope();
  expect(meta).toBeNull();
  expect(Object.keys(data as object)).toEqual([
    'schemaVersion',
    'exportedAt',
    'customer',
    'interactions',
    'deliveries',
  ]);
  const { interactions, deliveries } = data as Export;
  expect(interactions.map(({ id }) => id)).toEqual(surface.services.history.map(({ id }) => id));
  expect(interactions[0]).toMatchObject({
    bot: { key: 'nps', version: 4 },
    evaluation: { score: '9' },
    transcript: [{ body: '0x', type: 'customer' }],
    conversation: { answers: { score: 9 }, locale: 'en' },
    context: [{ key: 'productName', value: 'Tea' }],
  });
  expect(deliveries.map(({ receiver }) => receiver)).toEqual(Array(2).fill('https://shop.example/hook'));
  expect(answer.text).not.toContain(known.linkToken);
});

test('of a customer without interactions is as well-formed', async () => {
  surface.services.history = [];
  const { interactions, deliveries } = (await surface.call('GET', path)).envelope().data as Export;
  expect([interactions, deliveries.length]).toEqual([[], 2]);
});

test('has a tag that changes with the data, and not with the time', async () => {
  const tag = String((await surface.call('GET', path)).headers['etag']);
  expect(await surface.call('GET', path, { headers: { 'if-none-match': tag } })).toMatchObject({
    status: 304,
    text: '',
  });
  const last = surface.services.history.at(-1);
  if (last) last.version += 1;
  expect((await surface.call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(200);
});

test('loads a part when the client has taken the previous one, so 5,000 interactions take little memory', async () => {
  surface.services.history = makeHistory(5_000, 20_000);
  const { body } = await request(surface.url + path, { headers: { authorization: basic } });
  // The client does not read, so only the socket buffers can have been sent.
  await surface.call('GET', `/v1/workspaces/${known.workspaceId}`);
  expect(asked('exportCustomer')).toBeLessThan(1_000);
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Buffer).length;
  expect(bytes).toBeGreaterThan(100_000_000);
  expect(asked('exportCustomer')).toBe(5_000);
});

test('breaks the connection when a later part cannot be loaded, so no partial document looks complete', async () => {
  for (const method of ['exportCustomer', 'listCustomerDeliveries']) {
    surface.services.seen.length = 0;
    surface.services.before.clear();
    surface.services.before.set(method, () => {
      if (asked(method) > 1) throw unavailable(new Error('away'));
    });
    const { statusCode, body } = await request(surface.url + path, { headers: { authorization: basic } });
    expect(statusCode).toBe(200);
    await expect(body.text()).rejects.toThrow();
  }
});

test('is an error like any other when the first parts cannot be loaded, or the customer is unknown', async () => {
  const unknown = await surface.call('GET', pathOf('nobody'));
  expect(unknown.envelope()).toMatchObject({ code: 404, data: null });
  for (const method of ['exportCustomer', 'listCustomerDeliveries']) {
    surface.services.before.set(method, () => {
      throw unavailable(new Error('away'));
    });
    expect((await surface.call('GET', path)).envelope()).toMatchObject({ code: 503, data: null });
    surface.services.before.delete(method);
  }
});
