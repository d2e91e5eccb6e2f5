import { noDetails } from '@parley/contracts/customer-details';
import { version } from '@parley/runtime/version';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { type Surface, startSurface } from '../fakes/surface.ts';
import { auditEvent } from '../fakes/audit.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());

const workspace = `/v1/workspaces/${known.workspaceId}`;
const customerPath = `${workspace}/customers/${encodeURIComponent(known.customerId)}`;
const interactionPath = `${workspace}/interactions/${known.interactionId}`;
const webhookPath = `${workspace}/webhooks/${known.webhookId}`;

const shown = {
  id: known.interactionId,
  status: 'Pending',
  priority: 'High',
  link: `https://talk.example/interactions/${known.linkToken}`,
  expiresAt: null,
  createdAt: '2026-11-21T09:30:00.123000',
  customerId: known.customerId,
  type: 'NPS',
  data: null,
  context: [{ key: 'productName', value: 'Tea' }],
};
const details = {
  botId: known.botId,
  botVersion: null,
  startedAt: null,
  completedAt: null,
  updatedAt: shown.createdAt,
};
const ada = { id: known.customerId, ...noDetails, firstName: 'Ada', email: 'ada@example.com' };
const adaWithInteractions = {
  ...ada,
  interactions: [{ ...shown, type: 'Net Promoter Score', context: ['productName'] }],
};
const hook = {
  id: known.webhookId,
  url: 'https://x.example/',
  isActive: false,
  event: 'InteractionCompleted',
};
const bot = { id: known.botId, name: 'NPS <b>', context: ['productName'] };
const version4 = {
  version: 4,
  publishedAt: shown.createdAt,
  publishedBy: 'operator',
  note: null,
  digest: 'ab',
  isLive: true,
  restoredFrom: 2,
};
const erasure = {
  id: known.erasureId,
  customerId: known.customerId,
  kind: 'anonymisation',
  requestedAt: shown.createdAt,
  completedAt: null,
  requestedBy: 'prl_key_test',
  receipt: null,
  stores: [
    { store: 'customer', removed: 1 },
    { store: 'interaction', removed: 12 },
    { store: 'webhook', removed: 3 },
  ],
};
const page = (totalResults: number, totalPages: number) => ({
  totalResults,
  totalPages,
  currentPage: 1,
  pageSize: 20,
});
const shop = (id: string) => ({ id, name: 'Shop', allowedDomains: [known.allowedDomain] });

const calls: [string, string, unknown, unknown, unknown][] = [
  ['GET', '/v1/workspaces', undefined, [shop(known.workspaceId), shop(known.otherWorkspaceId)], null],
  ['GET', workspace, undefined, shop(known.workspaceId), null],
  ['POST', `${workspace}/apikeys/rotate`, undefined, { secret: 'prl_sec_new' }, null],
  ['GET', `${workspace}/customers`, undefined, [{ ...ada, interactions: [] }], page(41, 3)],
  ['GET', customerPath, undefined, adaWithInteractions, null],
  ['POST', `${workspace}/customers`, { id: 'é' }, { id: 'é', ...noDetails, interactions: [] }, null],
  ['PATCH', customerPath, { lastName: 'L' }, adaWithInteractions, null],
  ['POST', `${customerPath}/anonymise`, undefined, null, null],
  ['GET', `${workspace}/erasures`, undefined, [erasure], { nextCursor: null }],
  ['GET', `${workspace}/erasures/${known.erasureId}`, undefined, erasure, null],
  [
    'GET',
    `${workspace}/audit-events`,
    undefined,
    [{ ...auditEvent, occurredAt: '2026-11-21T09:30:00.123000', changes: { name: ['a', 'b'] } }],
    { nextCursor: null },
  ],
  ['POST', `${customerPath}/token`, undefined, { customerToken: 'jwt', expiresAt: shown.createdAt }, null],
  ['GET', `${workspace}/interactions`, undefined, [shown], page(1, 1)],
  ['GET', interactionPath, undefined, shown, null],
  ['GET', `${interactionPath}?include=details`, undefined, { ...shown, details }, null],
  ['GET', `${workspace}/interactions?include=details`, undefined, [{ ...shown, details }], page(1, 1)],
  ['POST', `${workspace}/interactions`, { customerId: 'c', botId: known.botId }, shown, null],
  ['PATCH', interactionPath, { expiry: null }, shown, null],
  ['GET', `${workspace}/bots`, undefined, [bot], null],
  ['GET', `${workspace}/bots/${known.botId}`, undefined, bot, null],
  ['POST', `${workspace}/bots`, { key: 'nps' }, { ...bot, version: 4 }, null],
  ['POST', `${workspace}/bots/${known.botId}/versions`, { key: 'nps' }, { ...bot, version: 4 }, null],
  ['GET', `${workspace}/bots/${known.botId}/versions`, undefined, [version4], null],
  [
    'GET',
    `${workspace}/bots/${known.botId}/versions/4`,
    undefined,
    { ...version4, key: 'nps', definition: { key: 'nps', n: 1 } },
    null,
  ],
  ['GET', `${workspace}/webhooks`, undefined, [hook], null],
  ['GET', webhookPath, undefined, hook, null],
  ['POST', `${workspace}/webhooks`, { url: hook.url, secretToken: 's' }, hook, null],
  ['PATCH', webhookPath, { isActive: true }, { ...hook, isActive: true }, null],
  ['DELETE', webhookPath, undefined, null, null],
  ['POST', `${webhookPath}/secret/rotate`, undefined, { signingSecret: 'whsec_x' }, null],
  ['POST', `${workspace}/sdk-secret/rotate`, undefined, { kid: 'k2', secret: 'sdk' }, null],
  ['GET', '/healthz', undefined, { status: 'ok', version }, null],
  ['GET', '/readyz', undefined, { status: 'ok', unavailable: [], outOfSpace: [], stream: null }, null],
];

test.each(calls)(
  '%s %s returns the documented data in the envelope',
  async (method, path, body, data, meta) => {
    const answer = await surface.call(method, path, { body });
    expect(answer.envelope()).toEqual({
      success: true,
      code: 200,
      detail: 'Request completed successfully',
      data,
      meta,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe(method === 'GET' ? 'private, no-cache' : 'no-store');
    expect(answer.headers['x-powered-by']).toBeUndefined();
  },
);

test('the API for backends sends no CORS headers', async () => {
  const answer = await surface.call('GET', workspace, { headers: { origin: 'https://shop.example' } });
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

describe('the requests to the services', () => {
  const requestOf = (method: string) =>
    surface.services.seen.findLast((seen) => seen.method === method)?.request;

  test('defaults and absent fields', async () => {
    await surface.call('POST', `${workspace}/interactions`, {
      body: { customerId: 'c', botId: known.botId, expiry: 0 },
    });
    expect(requestOf('createInteraction')).toMatchObject({
      status: 'Draft',
      priority: 'Medium',
      context: [],
      idempotency: null,
    });
    expect(requestOf('createInteraction')).not.toHaveProperty('expirySeconds', 0);
    await surface.call('POST', `${workspace}/interactions`, { body: { customerId: 'c', botKey: 'nps' } });
    expect(requestOf('createInteraction')).toMatchObject({ botId: '', botKey: 'nps' });
    await surface.call('GET', `${workspace}/bots?key=nps`);
    expect(requestOf('listBots')).toEqual({ workspaceId: known.workspaceId, key: 'nps', after: null });
    await surface.call('PATCH', interactionPath, { body: { expiry: null } });
    expect(requestOf('updateInteraction')).toMatchObject({ expirySeconds: 0 });
    await surface.call('PATCH', interactionPath, { body: { priority: 'Low' } });
    expect(requestOf('updateInteraction')).toMatchObject({ priority: 'Low', expirySeconds: null });
    await surface.call('POST', `${webhookPath}/secret/rotate`);
    expect(requestOf('rotateSigningSecret')).toMatchObject({ overlapSeconds: 86_400 });
  });

  test('filters and page of the list', async () => {
    const texts = {
      status: 'Expired',
      priority: 'Low',
      customerId: '12',
      botId: known.botId,
      botKey: 'nps',
      stoppedAt: 'score',
    };
    const instants = ['createdFrom', 'createdTo', 'updatedFrom', 'completedFrom', 'completedTo'];
    const at = (name: string): string => `2026-11-2${instants.indexOf(name)}T10:00:00Z`;
    const query = new URLSearchParams({ page: '2', pageSize: '50', botVersion: '3', ...texts });
    for (const name of instants) query.set(name, at(name));
    for (const entry of ['nps_score:2', 'why:a:b']) query.append('evaluation', entry);
    const answer = await surface.call('GET', `${workspace}/interactions?${query.toString()}`);
    expect(answer.envelope()).toMatchObject({ code: 200 });
    const page = { page: 2, pageSize: 50 };
    const filters = {
      ...texts,
      botVersion: 3,
      ...Object.fromEntries(instants.map((name) => [name, new Date(at(name))])),
      evaluation: ['nps_score:2', 'why:a:b'],
    };
    expect(requestOf('listInteractions')).toEqual({
      workspaceId: known.workspaceId,
      page,
      ...filters,
      after: null,
      isTest: null,
      onlyShort: true,
    });
  });
});

test('rotation is rejected outside the home workspace of the key', async () => {
  const answer = await surface.call('POST', `/v1/workspaces/${known.otherWorkspaceId}/apikeys/rotate`);
  expect(answer.envelope()).toMatchObject({ code: 403, type: 'not-home-workspace' });
});

test('HEAD returns the header of GET without the body', async () => {
  const get = await surface.call('GET', interactionPath);
  const head = await surface.call('HEAD', interactionPath);
  expect(head.status).toBe(200);
  expect(head.text).toBe('');
  for (const field of ['etag', 'content-length', 'content-type', 'cache-control']) {
    expect(head.headers[field]).toBe(get.headers[field]);
  }
});

test('a well-formed request id is kept, any other is replaced', async () => {
  for (const path of [workspace, '/nope']) {
    const kept = await surface.call('GET', path, { headers: { 'x-request-id': 'Order-7._x' } });
    expect(kept.headers['x-request-id']).toBe('Order-7._x');
    const replaced = await surface.call('GET', path, { headers: { 'x-request-id': 'a b' } });
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  }
  const refused = await surface.call('GET', '/nope');
  expect(refused.envelope().requestId).toBe(refused.headers['x-request-id']);
});

describe('conditional requests', () => {
  test('content that the client has is 304 without a body', async () => {
    const first = await surface.call('GET', interactionPath);
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^"3\.[\w-]{22}"$/);
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await surface.call('GET', interactionPath, { headers: { 'if-none-match': tag } });
      expect(again.status, tag).toBe(304);
      expect(again.text).toBe('');
      expect(again.headers['etag']).toBe(etag);
    }
    expect((await surface.call('HEAD', interactionPath, { headers: { 'if-none-match': etag } })).status).toBe(
      304,
    );
    const other = await surface.call('GET', interactionPath, { headers: { 'if-none-match': '"3.other"' } });
    expect(other.status).toBe(200);
  });

  test('a change succeeds with the tag that was read, and fails with others (412)', async () => {
    const etag = String((await surface.call('GET', webhookPath)).headers['etag']);
    const change = (tag: string) =>
      surface.call('PATCH', webhookPath, { body: { isActive: true }, headers: { 'if-match': tag } });
    expect((await change(etag)).status).toBe(200);
    expect((await change('*')).status).toBe(200);
    for (const tag of [etag.replace('"2.', '"1.'), `W/${etag}`, '""']) {
      const answer = await change(tag);
      expect(answer.envelope(), tag).toMatchObject({ code: 412, type: 'precondition-failed' });
    }
    for (const tag of ['nonsense', '2', '"2']) {
      expect((await change(tag)).envelope(), tag).toMatchObject({
        code: 400,
        errors: [{ pointer: '/headers/if-match', detail: 'Must be an ETag in double quotes' }],
      });
    }
    const gone = await surface.call('DELETE', webhookPath, { headers: { 'if-match': '"9.x"' } });
    expect(gone.status).toBe(412);
  });
});

test('a token for an unknown customer is an error about the customer', async () => {
  const answer = await surface.call('POST', `/v1/workspaces/${known.workspaceId}/customers/anna/token`);
  const detail = 'There is no such customer: create it first';
  expect(answer.envelope()).toMatchObject({ code: 404, type: 'not-found', detail });
});

describe('Idempotency-Key', () => {
  test('a replay is marked; the same body in another order has the same fingerprint', async () => {
    const headers = { 'idempotency-key': 'k-1' };
    const keys: unknown[] = [];
    for (const body of [
      '{"id":"a","email":"a@b.example"}',
      '{ "email":"a@b.example", "id":"a" }',
      '{"id":"b"}',
    ]) {
      const answer = await surface.call('POST', `${workspace}/customers`, { body, headers });
      expect(answer.headers['idempotency-replayed']).toBe('true');
      keys.push(surface.services.seen.findLast(({ method }) => method === 'createCustomer')?.request);
    }
    const [first, second, third] = keys.map((request) => Object(request).idempotency);
    expect(second).toEqual(first);
    expect(third.scope).toBe(first.scope);
    expect(third.fingerprint).not.toEqual(first.fingerprint);
  });

  test('is rejected for a call that returns a secret, and when malformed', async () => {
    const rotations = [
      'apikeys',
      'apikeys/rotate',
      'sdk-secret/rotate',
      `webhooks/${known.webhookId}/secret/rotate`,
    ];
    for (const path of rotations) {
      const answer = await surface.call('POST', `${workspace}/${path}`, {
        headers: { 'idempotency-key': 'k' },
        ...(path === 'apikeys' && { body: { name: 'A', scopes: ['bots:read'] } }),
      });
      expect(answer.envelope()).toMatchObject({
        code: 400,
        errors: [{ pointer: '/headers/idempotency-key' }],
      });
    }
    for (const key of ['', 'x'.repeat(256), 'é', ['k1', 'k2'], ['k', 'k']]) {
      const headers = { 'idempotency-key': key };
      const answer = await surface.call('POST', `${workspace}/customers`, { body: { id: 'a' }, headers });
      expect(answer.envelope(), String(key)).toMatchObject({
        code: 400,
        errors: [{ pointer: '/headers/idempotency-key' }],
      });
    }
    const headers = { 'idempotency-key': 'k1, k2' };
    const answer = await surface.call('POST', `${workspace}/customers`, { body: { id: 'a' }, headers });
    expect(answer.status).toBe(200);
  });
});
