import { api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { npsBot } from '../conversations/sample-bots.ts';

// Contract, section 1: Idempotency-Key on every POST that creates.

const { baseUrl } = inject('local');

let workspace: TestWorkspace;
let botId: string;
let made = 0;

beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  botId = await workspace.publish(npsBot);
});

/** Every POST that creates: its path, a valid body, and the list of what it creates. */
const creations: [string, () => { path: string; body: object; list: string }][] = [
  [
    'customers',
    () => ({
      path: '/customers',
      body: { id: `c${(made += 1)}`, firstName: 'A' },
      list: '/customers?pageSize=1',
    }),
  ],
  [
    'interactions',
    () => ({
      path: '/interactions',
      body: { customerId: 'c', botId, status: 'Pending', expiry: 1000 },
      list: '/interactions?pageSize=1',
    }),
  ],
  [
    'bots',
    () => ({
      path: '/bots',
      body: { ...(npsBot as object), key: `bot-${(made += 1)}` },
      list: '/bots',
    }),
  ],
  [
    'bot versions',
    () => ({
      path: `/bots/${botId}/versions`,
      body: { ...(npsBot as object), name: `Name ${(made += 1)}` },
      list: `/bots/${botId}/versions`,
    }),
  ],
  [
    'webhooks',
    () => ({
      path: '/webhooks',
      body: { url: 'http://127.0.0.1:9/', secretToken: `s${(made += 1)}` },
      list: '/webhooks',
    }),
  ],
];

const newKey = (): string => `key-${(made += 1)}`;
const post = (path: string, body: unknown, key: string) =>
  workspace.api.post<{ id: string }>(path, body, { 'idempotency-key': key });

async function countOf(list: string): Promise<number> {
  const { body } = await workspace.api.get<unknown[]>(list);
  return body.meta?.totalResults ?? body.data.length;
}

describe.each(creations)('%s', (_name, creation) => {
  test('a replay returns the first answer, marks it, and creates nothing', async () => {
    const { path, body, list } = creation();
    const key = newKey();
    const first = await post(path, body, key);
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
    const before = await countOf(list);
    for (let again = 0; again < 3; again += 1) {
      const replay = await post(path, body, key);
      expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
      expect(replay.body).toEqual(first.body);
    }
    expect(await countOf(list)).toBe(before);
  });

  test('the order of the fields and white space do not change the body', async () => {
    const { path, body } = creation();
    const key = newKey();
    const first = await post(path, body, key);
    const turned = Object.fromEntries(Object.entries(body).toReversed());
    const replay = await post(path, JSON.stringify(turned, null, 3), key);
    expect([replay.status, replay.body.data]).toEqual([200, first.body.data]);
  });

  test('another key creates another one, or collides as without keys', async () => {
    const { path, body } = creation();
    const [first, second] = [await post(path, body, newKey()), await post(path, body, newKey())];
    expect(first.status).toBe(200);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect([200, 409]).toContain(second.status);
  });
});

describe('the key', () => {
  const customer = () => ({ id: `k${(made += 1)}` });

  test.each(['a', 'x'.repeat(255), '"quoted"', 'order 17/2026', "!#$%&'*+-.^_`|~:;,<=>?@[]{}()"])(
    '%j is taken',
    async (key) => {
      const body = customer();
      expect((await post('/customers', body, key)).status).toBe(200);
      expect((await post('/customers', body, key)).headers.get('idempotency-replayed')).toBe('true');
    },
  );

  test.each(['', 'x'.repeat(256)])('%j is rejected: 400, nothing created', async (key) => {
    const body = customer();
    const { status, body: envelope } = await post('/customers', body, key);
    expect([status, envelope.code]).toEqual([400, 400]);
    expect((await workspace.api.get(`/customers/${body.id}`)).status).toBe(404);
  });

  test('with another body is 422 and creates nothing, also no customer; the first answer stays', async () => {
    const key = newKey();
    const body = { customerId: 'c', botId, status: 'Pending' };
    const first = await post('/interactions', body, key);
    const before = await countOf('/interactions?pageSize=1');
    const customerId = `c${(made += 1)}`;
    const second = await post('/interactions', { ...body, customerId }, key);
    expect([second.status, second.body.type, second.body.data]).toEqual([
      422,
      'idempotency-key-reused',
      null,
    ]);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(await countOf('/interactions?pageSize=1')).toBe(before);
    expect((await workspace.api.get(`/customers/${customerId}`)).status).toBe(404);
    expect((await post('/interactions', body, key)).body).toEqual(first.body);
  });

  test('is not consumed by a request that is rejected before an effect', async () => {
    const body = customer();
    const key = newKey();
    expect((await post('/customers', { ...body, unknownField: 1 }, key)).status).toBe(400);
    const taken = await post('/customers', body, key);
    expect([taken.status, taken.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  test('has no effect on another path', async () => {
    const key = newKey();
    const id = `k${(made += 1)}`;
    expect((await post('/customers', { id }, key)).status).toBe(200);
    expect((await post('/interactions', { customerId: id, botId }, key)).status).toBe(200);
  });

  test('of one API key has no effect for another, also in the same workspace', async () => {
    const other = await createWorkspace(baseUrl, inject('operator'), { accessIds: [workspace.id] });
    const theirs = api(`${baseUrl}/v1/workspaces/${workspace.id}`, basic(other.apiKey, other.apiSecret));
    const key = newKey();
    const body = customer();
    expect((await post('/customers', body, key)).status).toBe(200);
    const answer = await theirs.post('/customers', { id: `k${(made += 1)}` }, { 'idempotency-key': key });
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
    const collision = await theirs.post('/customers', body, { 'idempotency-key': newKey() });
    expect(collision.status).toBe(409);
  });

  test('of one workspace has no effect in another of the same API key', async () => {
    const wide = await createWorkspace(baseUrl, inject('operator'), { accessIds: [workspace.id] });
    const calls = api(`${baseUrl}/v1/workspaces`, basic(wide.apiKey, wide.apiSecret));
    const headers = { 'idempotency-key': newKey() };
    const body = customer();
    for (const { id } of [wide, workspace]) {
      const answer = await calls.post(`/${id}/customers`, body, headers);
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
    }
  });

  test('survives a rotation of the secret', async () => {
    const own = await createWorkspace(baseUrl, inject('operator'));
    const headers = { 'idempotency-key': newKey() };
    const first = await own.api.post('/customers', { id: 'c' }, headers);
    const { body } = await own.api.post<{ secret: string }>('/apikeys/rotate');
    const renewed = api(`${baseUrl}/v1/workspaces/${own.id}`, basic(own.apiKey, body.data.secret));
    const replay = await renewed.post('/customers', { id: 'c' }, headers);
    expect([replay.status, replay.body]).toEqual([200, first.body]);
  });

  test('of a call with 409 can be used when the conflict is resolved', async () => {
    const taken = { url: 'http://127.0.0.1:9/', secretToken: `s${(made += 1)}` };
    const { body } = await workspace.api.post<{ id: string }>('/webhooks', taken);
    const key = newKey();
    expect((await post('/webhooks', taken, key)).status).toBe(409);
    expect((await workspace.api.delete(`/webhooks/${body.data.id}`)).status).toBe(200);
    const again = await post('/webhooks', taken, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  test('a replay returns the first answer, also after changes', async () => {
    const key = newKey();
    const body = { customerId: 'later', botId, status: 'Pending' };
    const first = await post('/interactions', body, key);
    await workspace.api.patch(`/interactions/${first.body.data.id}`, { status: 'Completed' });
    const replay = await post('/interactions', body, key);
    expect(replay.body).toEqual(first.body);
  });

  test.each([
    ['test', undefined],
    ['recover', { since: '2026-01-01T00:00:00Z' }],
  ])('a replay of %s succeeds also after the webhook was deleted; a new call is 404', async (name, body) => {
    const key = newKey();
    const hook = { url: 'http://127.0.0.1:9/', secretToken: `s${(made += 1)}`, isActive: true };
    const { body: webhook } = await workspace.api.post<{ id: string }>('/webhooks', hook);
    const path = `/webhooks/${webhook.data.id}`;
    const first = await post(`${path}/${name}`, body, key);
    expect(first.status).toBe(200);
    expect((await workspace.api.delete(path)).status).toBe(200);
    const replay = await post(`${path}/${name}`, body, key);
    expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(replay.body).toEqual(first.body);
    expect((await post(`${path}/${name}`, body, newKey())).status).toBe(404);
  });

  test('is ignored where nothing is created', async () => {
    const headers = { 'idempotency-key': newKey() };
    const body = customer();
    await workspace.api.post('/customers', body);
    for (const firstName of ['A', 'B']) {
      const { body: changed } = await workspace.api.patch(`/customers/${body.id}`, { firstName }, headers);
      expect(changed.data).toMatchObject({ firstName });
    }
    expect((await workspace.api.get('/customers', headers)).status).toBe(200);
  });
});
