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

const workspace = `/v1/workspaces/${known.workspaceId}`;
const customer = `${workspace}/customers/${encodeURIComponent(known.customerId)}`;
const list = `${workspace}/interactions?pageSize=50`;

const partsAsked = () =>
  surface.services.seen.filter(({ method }) => /^list.*Interactions$/.test(method)).length;
const makeHistory = (count: number, dataBytes: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...interaction,
    id: uuidv7(),
    data: `${n} ${'ü"'.repeat(dataBytes / 3)}`,
  }));

beforeEach(() => {
  surface.services.before.clear();
  surface.services.seen.length = 0;
  surface.services.history = makeHistory(5, 300_000);
});

test.each([
  ['GET', customer, undefined],
  ['PATCH', customer, { lastName: 'L' }],
  ['GET', list, undefined],
])('%s %s returns all of a long list, in parts', async (method, path, body) => {
  const answer = await surface.call(method, path, { body });
  expect(answer.headers['content-length']).toBeUndefined();
  const { data, meta, detail } = answer.envelope();
  expect(detail).toBe('Request completed successfully');
  const shown = (path === list ? data : (data as { interactions: unknown }).interactions) as object[];
  expect(shown).toMatchObject(surface.services.history.map(({ id, data }) => ({ id, data })));
  if (path === list) expect(meta).toMatchObject({ totalResults: 5, pageSize: 50 });
  else expect(meta).toBeNull();
  const asked = surface.services.seen.filter(({ method }) => method === 'listInteractions');
  if (path === list) expect(asked.at(-1)?.request).toMatchObject({ page: { page: 1, pageSize: 46 } });
});

test('the tag of a long list covers all parts, and 304 saves loading them', async () => {
  for (const path of [customer, list]) {
    const tag = String((await surface.call('GET', path)).headers['etag']);
    surface.services.seen.length = 0;
    const held = await surface.call('GET', path, { headers: { 'if-none-match': tag } });
    expect(held).toMatchObject({ status: 304, text: '' });
    const head = await surface.call('HEAD', path);
    expect(head).toMatchObject({ status: 200, text: '', headers: { etag: tag } });
    // Each asks for a short list first.
    expect(partsAsked()).toBe(4);
    const last = surface.services.history.at(-1);
    if (last) last.version += 1;
    expect((await surface.call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(200);
  }
});

test('a first part that cannot be loaded is an error like any other, and nothing is written', async () => {
  const fail = () => {
    throw unavailable(new Error('away'));
  };
  surface.services.before.set('listCustomerInteractions', fail).set('listInteractions', fail);
  for (const [method, path, body] of [
    ['GET', customer],
    ['GET', list],
    ['PATCH', customer, { lastName: 'L' }],
  ] as const) {
    const answer = await surface.call(method, path, { body });
    expect(answer).toMatchObject({ status: 503 });
    expect(answer.envelope()).toMatchObject({ success: false, data: null });
  }
  expect(surface.services.seen.map(({ method }) => method)).not.toContain('updateCustomer');
});

test('when a later part cannot be loaded the connection breaks, so no partial answer looks complete', async () => {
  surface.services.before.set('listCustomerInteractions', () => {
    if (partsAsked() > 4) throw unavailable(new Error('away'));
  });
  const { statusCode, body } = await request(surface.url + customer, { headers: { authorization: basic } });
  expect(statusCode).toBe(200);
  await expect(body.text()).rejects.toThrow();
});

test('a part is loaded when the client has taken the previous one', async () => {
  surface.services.history = makeHistory(30, 900_000);
  const { body } = await request(surface.url + customer, { headers: { authorization: basic } });
  // The client does not read, so only the socket buffers can have been sent.
  await surface.call('GET', workspace);
  await surface.call('GET', `${workspace}/bots`);
  expect(partsAsked()).toBeLessThan(20);
  const envelope = (await body.json()) as { data: { interactions: unknown[] } };
  expect(envelope.data.interactions).toHaveLength(30);
  expect(partsAsked()).toBe(31);
});
