import type { BotDefinition } from '@parley/client';
import { api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { anonymise } from '../customers/anonymise.ts';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { makeSettledLog } from '../webhooks/delivering-workspace.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { openBrowser } from '../conversations/conversation.ts';

// Contract, section 1: 412 and 304. Conditions are optional; RFC 9110, section 13.

let workspace: TestWorkspace;
let botId: string;
let made = 0;

beforeAll(async () => {
  workspace = await createWorkspace(inject('local').baseUrl, inject('operator'));
  botId = await workspace.publish(npsBot);
  await workspace.client.bots.saveDraft(botId, { definition: npsBot as BotDefinition });
});

/** Resources that can change: their creation, and two changes. */
const resources: [string, () => Promise<string>, object, object][] = [
  [
    'a customer',
    async () => {
      const id = `c${(made += 1)}`;
      await workspace.api.post('/customers', { id });
      return `/customers/${id}`;
    },
    { firstName: 'One' },
    { firstName: 'Two' },
  ],
  [
    'an interaction',
    async () => {
      const { body } = await workspace.api.post<{ id: string }>('/interactions', { customerId: 'c', botId });
      return `/interactions/${body.data.id}`;
    },
    { priority: 'High' },
    { priority: 'Low' },
  ],
  [
    'a webhook',
    async () => {
      const hook = { url: 'http://127.0.0.1:9/', secretToken: `s${(made += 1)}` };
      const { body } = await workspace.api.post<{ id: string }>('/webhooks', hook);
      return `/webhooks/${body.data.id}`;
    },
    { isActive: true },
    { isActive: false },
  ],
  [
    'the options of a webhook',
    async () => {
      const hook = { url: 'http://127.0.0.1:9/', secretToken: `s${(made += 1)}` };
      const { body } = await workspace.api.post<{ id: string }>('/webhooks', hook);
      return `/webhooks/${body.data.id}/options`;
    },
    {
      headers: { 'X-A': 'one' },
      rateLimit: { perSecond: 0.5, burst: 2 },
      ordering: 'strict',
      asymmetricSignature: true,
    },
    { headers: { 'x-a': 'two' } },
  ],
];

const tagOf = ({ headers }: { headers: Headers }): string => headers.get('etag') ?? '';

describe.each(resources)('%s', (_name, make, one, two) => {
  test('has one strong tag until it changes, the same in every call', async () => {
    const path = await make();
    const first = await workspace.api.get(path);
    expect(tagOf(first)).toMatch(/^"[^"]+"$/);
    expect(tagOf(await workspace.api.get(path))).toBe(tagOf(first));
    expect(tagOf(await workspace.api.call('HEAD', path))).toBe(tagOf(first));
    const changed = await workspace.api.patch(path, one);
    expect(tagOf(changed)).not.toBe(tagOf(first));
    expect(tagOf(await workspace.api.get(path))).toBe(tagOf(changed));
  });

  test('is 304 without a body for a current tag, and complete for an older one', async () => {
    const path = await make();
    const old = tagOf(await workspace.api.get(path));
    for (const held of [old, `W/${old}`, `"x", ${old}`, '*']) {
      const answer = await workspace.api.get(path, { 'if-none-match': held });
      expect([answer.status, answer.body, tagOf(answer)]).toEqual([304, null, old]);
      expect(answer.headers.get('x-request-id')).not.toBeNull();
    }
    await workspace.api.patch(path, one);
    expect((await workspace.api.get(path, { 'if-none-match': old })).status).toBe(200);
    expect((await workspace.api.get(path, { 'if-none-match': '"x"' })).status).toBe(200);
    expect((await workspace.api.get(path, { 'if-none-match': 'nonsense' })).status).toBe(200);
  });

  test('changes only as it was read: otherwise 412, without a change', async () => {
    const path = await make();
    const read = tagOf(await workspace.api.get(path));
    const changed = await workspace.api.patch(path, one, { 'if-match': read });
    expect(changed.status).toBe(200);
    for (const tag of [read, '"x"', `W/${tagOf(changed)}`, '""']) {
      const { status, body } = await workspace.api.patch(path, two, { 'if-match': tag });
      expect([status, body.code, body.data, body.success]).toEqual([412, 412, null, false]);
    }
    const unquoted = await workspace.api.patch(path, two, { 'if-match': read.replaceAll('"', '') });
    expect([unquoted.status, unquoted.body.errors]).toEqual([
      400,
      [{ pointer: '/headers/if-match', detail: 'Must be an ETag in double quotes' }],
    ]);
    expect((await workspace.api.get(path)).body.data).toEqual(changed.body.data);
    expect((await workspace.api.patch(path, two, { 'if-match': `"x", ${tagOf(changed)}` })).status).toBe(200);
    expect((await workspace.api.patch(path, one, { 'if-match': '*' })).status).toBe(200);
  });

  test('If-None-Match is for reads: a change with it is rejected', async () => {
    const path = await make();
    const read = tagOf(await workspace.api.get(path));
    for (const named of [read, '"x"', '*']) {
      const refused = await workspace.api.patch(path, one, { 'if-none-match': named });
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [{ pointer: '/headers/if-none-match', detail: 'Is for GET and HEAD: use If-Match' }],
      ]);
    }
    expect(tagOf(await workspace.api.get(path))).toBe(read);
  });

  test('of concurrent changes of one version, one wins', async () => {
    const path = await make();
    const headers = { 'if-match': tagOf(await workspace.api.get(path)) };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => workspace.api.patch(path, one, headers)),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(19).fill(412)]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await workspace.api.get(path)).body.data).toEqual(winner?.body.data);
  });

  test('keeps its tag after a change without effect', async () => {
    const path = await make();
    await workspace.api.patch(path, one);
    const read = await workspace.api.get(path);
    const same = await workspace.api.patch(path, one, { 'if-match': tagOf(read) });
    expect([same.status, same.body.data]).toEqual([200, read.body.data]);
    expect(tagOf(await workspace.api.get(path))).toBe(tagOf(read));
  });

  test('invalid input is 400 before 412, and an unknown resource is 404', async () => {
    const path = await make();
    expect((await workspace.api.patch(path, {}, { 'if-match': '"x"' })).status).toBe(400);
    const gone = path.replace(/(?<=s\/)[^/]+/, '01890000-0000-7000-8000-000000000000');
    expect((await workspace.api.patch(gone, one, { 'if-match': '"x"' })).status).toBe(404);
  });
});

test('a created resource can be changed with the tag of its creation', async () => {
  const id = `ü/ ${(made += 1)}`;
  const answer = await workspace.api.post('/customers', { id });
  const path = `/customers/${encodeURIComponent(id)}`;
  const changed = await workspace.api.patch(path, { firstName: 'Ada' }, { 'if-match': tagOf(answer) });
  expect(changed.status).toBe(200);
});

test('a customer shows its interactions, so its tag changes with them; both tags allow a change', async () => {
  await workspace.api.post('/customers', { id: 'tagged' });
  const before = await workspace.api.get('/customers/tagged');
  await workspace.api.post('/interactions', { customerId: 'tagged', botId });
  const after = await workspace.api.get('/customers/tagged', { 'if-none-match': tagOf(before) });
  expect(after.status).toBe(200);
  expect(tagOf(after)).not.toBe(tagOf(before));
  const change = (firstName: string, tag: string) =>
    workspace.api.patch('/customers/tagged', { firstName }, { 'if-match': tag });
  const changed = await change('Ada', tagOf(before));
  expect(changed.status).toBe(200);
  expect((await change('Eve', tagOf(after))).status).toBe(412);
});

// A stream has no tag.
const isStream = (path: string): boolean => path.endsWith('/interactions/export');
const reads = Object.entries(inject('openapi').paths).flatMap(([path, { get }]) =>
  !isStream(path) && get?.security.some((one) => 'key' in one || 'session' in one) ? [{ path, get }] : [],
);

test('every GET returns 304 for a current tag, with the fields of a 200 and no body', async () => {
  expect(reads.length).toBeGreaterThan(12);
  const { baseUrl } = inject('local');
  const customerId = `c${(made += 1)}`;
  const hook = { url: 'http://127.0.0.1:9/', secretToken: `s${made}`, isActive: true };
  const interaction = { customerId, botId, status: 'Pending' };
  const { body: conversation } = await workspace.api.post<{ id: string }>('/interactions', interaction);
  const { body: webhook } = await workspace.api.post<{ id: string }>('/webhooks', hook);
  const interactionId = conversation.data.id;
  const webhookId = webhook.data.id;
  const log = await makeSettledLog(workspace.client.webhooks, webhookId);
  await workspace.api.post('/customers', { id: `${customerId}-erased` });
  const { id: erasureId } = await anonymise(workspace, `${customerId}-erased`);
  const invited = await workspace.client.members.invite({ email: 'ada@shop.example', role: 'viewer' });
  const openLink = await workspace.client.bots.openLinks.create(botId, { name: 'Table' });
  const ids = {
    workspaceId: workspace.id,
    openLinkId: openLink.id,
    memberId: invited.memberId,
    customerId,
    botId,
    interactionId,
    webhookId,
    erasureId,
    apiKey: workspace.apiKey,
    version: '1',
    ...log,
  };
  // Otherwise they change when they count the interaction.
  const before = Date.now();
  await eventually(async () => {
    const { asOf } = await workspace.client.bots.getInsight(botId);
    expect(Date.parse(`${asOf}Z`)).toBeGreaterThan(before);
  });
  const { sessionToken } = await openBrowser(baseUrl, workspace, customerId);
  const check = async ({ path, get }: (typeof reads)[number]): Promise<void> => {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name as keyof typeof ids]);
    const isSession = get.security.some((one) => 'session' in one);
    const authorization = isSession ? `Bearer ${sessionToken}` : basic(workspace.apiKey, workspace.apiSecret);
    const calls = api(`${baseUrl}${url}`, authorization);
    const whole = await calls.get('');
    expect([path, whole.status, whole.headers.get('cache-control')]).toEqual([
      path,
      200,
      isSession ? 'no-store' : 'private, no-cache',
    ]);
    const tag = tagOf(whole);
    expect(tag, path).toMatch(/^"[^"]+"$/);
    for (const method of ['GET', 'HEAD']) {
      for (const held of [tag, `W/${tag}`, `"x" ,${tag}`, ' * ']) {
        const { status, headers, body } = await calls.call(method, '', {
          headers: { 'if-none-match': held },
        });
        expect([path, method, held, status, body]).toEqual([path, method, held, 304, null]);
        expect(headers.get('etag')).toBe(tag);
        for (const name of ['cache-control', 'vary', 'ratelimit-policy', 'content-length', 'content-type']) {
          const expected = name.startsWith('content') ? null : whole.headers.get(name);
          expect([path, name, headers.get(name)]).toEqual([path, name, expected]);
        }
      }
      for (const other of ['"x"', tag.replaceAll('"', ''), `"${tag}`, 'W/*']) {
        const { status } = await calls.call(method, '', { headers: { 'if-none-match': other } });
        expect([path, method, other, status]).toEqual([path, method, other, 200]);
      }
      const wanted = { [tag]: 200, [`"x" ,${tag}`]: 200, '*': 200, [`W/${tag}`]: 412, '"x"': 412, x: 400 };
      for (const [ifMatch, expected] of Object.entries(wanted)) {
        const { status, headers } = await calls.call(method, '', { headers: { 'if-match': ifMatch } });
        expect([path, method, ifMatch, status]).toEqual([path, method, ifMatch, expected]);
        expect(headers.get('etag')).toBe(expected === 200 ? tag : null);
      }
    }
  };
  // The export of a customer adds an audit event, so the list of these is read last.
  const isAudit = ({ path }: (typeof reads)[number]): boolean => path.endsWith('/audit-events');
  await Promise.all(reads.filter((one) => !isAudit(one)).map(check));
  await Promise.all(reads.filter(isAudit).map(check));
});

test('a webhook is deleted only as it was read', async () => {
  const hook = { url: 'http://127.0.0.1:9/', secretToken: `s${(made += 1)}` };
  const { body } = await workspace.api.post<{ id: string }>('/webhooks', hook);
  const path = `/webhooks/${body.data.id}`;
  const read = tagOf(await workspace.api.get(path));
  await workspace.api.patch(path, { isActive: true });
  expect((await workspace.api.delete(path, { 'if-match': read })).status).toBe(412);
  const now = tagOf(await workspace.api.get(path));
  expect((await workspace.api.delete(path, { 'if-none-match': '*' })).status).toBe(400);
  expect((await workspace.api.delete(path, { 'if-match': now })).status).toBe(200);
});

test('a file, too, is returned only if If-Match matches', async () => {
  const url = `${inject('local').baseUrl}/openapi.json`;
  const whole = await fetch(url);
  const tag = tagOf(whole);
  await whole.body?.cancel();
  const statusOf = async (ifMatch: string) => (await fetch(url, { headers: { 'if-match': ifMatch } })).status;
  expect([await statusOf(tag), await statusOf('*'), await statusOf('"x"')]).toEqual([200, 200, 412]);
});

test('an ETag never matches another tenant’s resource, and an error has none', async () => {
  const missing = await workspace.api.get('/customers/nobody', { 'if-none-match': '*' });
  expect([missing.status, missing.headers.get('etag')]).toEqual([404, null]);
});
