import type { AuthenticateRequest } from '@parley/contracts/identity/v1/identity';
import { evictionAnswer, evictionSubject } from '@parley/contracts/subjects';
import { openConnection } from '@parley/nats/connection';
import { eventually } from '@parley/testing/eventually';
import { startPrivateNats } from '@parley/testing/servers/nats';
import { quietLogger as logger } from '@parley/testing/quiet';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { basicOf, type Surface, startSurface } from '../fakes/surface.ts';

const stack = new AsyncDisposableStack();
let surface: Surface;
/** Another process of the gateway, which has no NATS. */
let other: Surface;
/** Requests the eviction of the key; returns the reply. */
let evictKey: (apiKey: string) => Promise<string>;

const customers = `/v1/workspaces/${known.workspaceId}/customers`;
const authentications = (): AuthenticateRequest[] =>
  surface.services.seen.flatMap(({ method, request }) =>
    method === 'authenticate' ? [request as AuthenticateRequest] : [],
  );

beforeAll(async () => {
  const nats = stack.use(await startPrivateNats());
  surface = stack.use(await startSurface({ natsUrl: nats.url }));
  other = stack.use(await startSurface());
  surface.services.cacheableMs = 3_600_000;
  const connection = stack.use(openConnection({ url: nats.url, logger }));
  await connection.connecting;
  await surface.call('GET', customers);
  const [{ holder } = { holder: '' }] = authentications();
  evictKey = (apiKey) => connection.request(evictionSubject(holder), apiKey, 20_000);
});
afterAll(() => stack.disposeAsync());

beforeEach(async () => {
  // At first the gateway may not be connected yet.
  await eventually(() => evictKey(known.apiKey));
  surface.services.seen.length = 0;
});

test('a valid key costs one call to identity per cache lifetime', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => surface.call('GET', customers)));
  for (let calls = 0; calls < 20; calls += 1) answers.push(await surface.call('GET', customers));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
  expect(authentications()).toEqual([
    {
      apiKey: known.apiKey,
      apiSecret: known.apiSecret,
      holder: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksScopes: true,
    },
  ]);
});

test('a gateway confirms the eviction of a key, and then asks identity again', async () => {
  await surface.call('GET', customers);
  await expect(evictKey('prl_key_of_another')).resolves.toBe(evictionAnswer);
  await surface.call('GET', customers);
  expect(authentications()).toHaveLength(1);
  await expect(evictKey(known.apiKey)).resolves.toBe(evictionAnswer);
  await surface.call('GET', customers);
  expect(authentications()).toHaveLength(2);
});

test('a wrong secret of a known key costs one call to identity, and none if its checksum is wrong', async () => {
  await surface.call('GET', customers);
  const { apiKey, apiSecret, wrongApiSecret } = known;
  for (const wrong of [
    'wrong',
    `${apiSecret} `,
    apiSecret.replace('right', 'Right'),
    ...Array(5).fill(wrongApiSecret),
  ]) {
    const credentials = basicOf(`${apiKey}:${wrong}`);
    expect((await surface.call('GET', customers, { credentials })).status).toBe(401);
  }
  expect((await surface.call('GET', customers)).status).toBe(200);
  expect(authentications().map((request) => request.apiSecret)).toEqual([apiSecret, wrongApiSecret]);
});

test('a malformed key is rejected without a call to identity', async () => {
  for (const apiKey of [
    'someone',
    `${known.apiKey}0`,
    known.apiKey.slice(0, -1),
    `${known.apiKey.slice(0, -1)}é`,
  ]) {
    const credentials = basicOf(`${apiKey}:${known.apiSecret}`);
    expect((await surface.call('GET', customers, { credentials })).status).toBe(401);
  }
  expect(authentications()).toEqual([]);
});

test('each process of the gateway is a lease holder of its own', async () => {
  await other.call('GET', customers);
  await surface.call('GET', customers);
  const [asked] = other.services.seen.map(({ request }) => request as AuthenticateRequest);
  expect(asked?.holder).not.toBe(authentications()[0]?.holder);
});

test('without NATS the gateway serves and is ready', async () => {
  expect((await other.call('GET', '/readyz')).status).toBe(200);
  expect((await other.call('GET', customers)).status).toBe(200);
});
