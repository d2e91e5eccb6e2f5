import { scopeNames } from '@parley/contracts/scopes';
import { type Api, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { auditEventsOf } from './audit-log.ts';
import { callsOfConsole, createLink, signInBy } from './console-people.ts';
import { sendHttp } from '../api/http-request.ts';
import { callsIn, createKey, missingScopes, ofCaller } from './limited-keys.ts';
import { operationsOf } from '../api/operations.ts';
import { callsOfPortal, type CreatedLink, enterPortal, fromPortal, openPortal } from './portal-sessions.ts';

// Contract 2, section 13: the portal.

const { baseUrl } = inject('local');
const operator = inject('operator');
const nowhere = '01890000-0000-7000-8000-000000000000';

let workspace: TestWorkspace;
let other: TestWorkspace;
let receiver: Receiver;
let own: string;
let foreign: string;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, operator);
  other = await createWorkspace(baseUrl, operator);
  receiver = await startReceiver(() => ({ status: 200, body: 'Thanks, Ada' }));
  own = await hook('own');
  foreign = await hook('foreign');
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
});

const hook = async (secretToken: string): Promise<string> =>
  (await workspace.client.webhooks.create({ url: receiver.url, secretToken, isActive: true })).id;
const links = '/webhooks/portal-links';
const create = async (body: object = {}): Promise<CreatedLink> =>
  (await workspace.api.post<CreatedLink>(links, body)).body.data;
const inWorkspace = (path = ''): string => `/workspaces/${workspace.id}${path}`;

describe('a link', () => {
  test('has a URL with its code in the fragment, which is shown once', async () => {
    const made = await workspace.api.post<CreatedLink>(links, {
      name: 'Shop team',
      webhookIds: [own],
      expiresInSeconds: 600,
    });
    expect(made.body.data).toEqual({
      id: expect.any(String) as string,
      name: 'Shop team',
      webhookIds: [own],
      personalData: false,
      createdAt: expect.any(String) as string,
      createdBy: workspace.apiKey,
      expiresAt: expect.any(String) as string,
      usedAt: null,
      revokedAt: null,
      url: expect.stringMatching(
        new RegExp(`^http.*/console/portal/${workspace.id}#prl_plk_[0-9a-f]{32}_[0-9A-Za-z]{43}$`),
      ),
    });
    const { url: _, ...record } = made.body.data;
    const leftMs = Date.parse(`${record.expiresAt}Z`) - Date.now();
    expect(leftMs).toBeGreaterThan(580_000);
    expect(leftMs).toBeLessThan(620_000);
    const listed = await workspace.api.get<object[]>(`${links}?limit=1`);
    expect(listed.body.data).toEqual([record]);
  });

  test.each<[string, object, string]>([
    ['a webhook of nobody', { webhookIds: [nowhere] }, '/webhookIds/0'],
    ['no webhook', { webhookIds: [] }, '/webhookIds'],
    ['a webhook twice', { webhookIds: [nowhere, nowhere] }, '/webhookIds'],
    ['more than a day', { expiresInSeconds: 86_401 }, '/expiresInSeconds'],
    ['no time', { expiresInSeconds: 0 }, '/expiresInSeconds'],
    ['an unknown field', { scopes: ['keys:write'] }, '/scopes'],
  ])('with %s is rejected', async (_, body, pointer) => {
    const answer = await workspace.api.post(links, body);
    expect(answer.body).toMatchObject({ code: 400, errors: [{ pointer }] });
  });

  test('cannot do more than who makes it', async () => {
    const { api: strong } = workspace;
    const calls = async (...scopes: Parameters<typeof createKey>[1]) =>
      callsIn(baseUrl, workspace.id, await createKey(workspace, scopes));
    const writer = await calls('webhooks:write');
    expect((await writer.post(links)).body).toMatchObject(missingScopes([ofCaller, 'webhooks:read']));
    const both = await calls('webhooks:read', 'webhooks:write');
    expect((await both.post(links)).status).toBe(200);
    expect((await both.post(links, { personalData: true })).body).toMatchObject(
      missingScopes(['/personalData', 'personal-data:read']),
    );
    expect((await strong.post(links, { personalData: true })).status).toBe(200);
  });

  test('does not outlive the key that makes it', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const key = await createKey(workspace, ['webhooks:read', 'webhooks:write'], expiresAt);
    const made = await callsIn(baseUrl, workspace.id, key).post<CreatedLink>(links, {
      expiresInSeconds: 3_600,
    });
    expect(Date.parse(`${made.body.data.expiresAt}Z`)).toBeLessThanOrEqual(expiresAt.getTime());
  });

  test('opens once, also of two who open it at once', async () => {
    const link = await create();
    const opened = await Promise.all(Array.from({ length: 6 }, () => openPortal(baseUrl, link)));
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of opened) {
      if (status !== 200) expect(body).toMatchObject({ code: 401, type: 'invalid-link' });
    }
  });

  test('is only valid at the address of its workspace', async () => {
    const link = await create();
    const elsewhere = { url: link.url.replace(workspace.id, other.id) };
    expect((await openPortal(baseUrl, elsewhere)).body).toMatchObject({ code: 401, type: 'invalid-link' });
    const cut = { url: link.url.replace(/.$/, '') };
    expect((await openPortal(baseUrl, cut)).body).toMatchObject({ code: 401, type: 'incomplete-link' });
    const changed = { url: `${link.url.replace('_', '_\u200b')}).` };
    expect((await openPortal(baseUrl, changed)).status).toBe(200);
  });

  test('ends with its session', async () => {
    const unopened = await create({ expiresInSeconds: 3 });
    // A busy machine may take longer than a link lasts: another one is made then.
    const { calls } = await eventually(async () => {
      const entered = await enterPortal(baseUrl, await create({ expiresInSeconds: 3 }));
      expect((await entered.calls.get(inWorkspace('/webhooks'))).status).toBe(200);
      return entered;
    });
    await eventually(async () => {
      expect((await calls.get(inWorkspace('/webhooks'))).status).toBe(401);
    });
    await eventually(async () => {
      expect((await openPortal(baseUrl, unopened)).body).toMatchObject({ code: 401, type: 'invalid-link' });
    });
  });

  test('that is revoked, with its session, is over with the answer', async () => {
    const [opened, unopened] = [await create(), await create()];
    const { calls } = await enterPortal(baseUrl, opened);
    expect((await calls.get(inWorkspace('/webhooks'))).status).toBe(200);
    for (const { id } of [opened, unopened]) {
      expect((await workspace.api.delete(`${links}/${id}`)).body).toMatchObject({ code: 200, data: null });
      expect((await workspace.api.delete(`${links}/${id}`)).status).toBe(200);
    }
    expect((await calls.get(inWorkspace('/webhooks'))).body).toMatchObject({ code: 401 });
    expect((await openPortal(baseUrl, unopened)).status).toBe(401);
    expect((await workspace.api.delete(`${links}/${nowhere}`)).status).toBe(404);
    expect((await other.api.delete(`${links}/${opened.id}`)).status).toBe(404);
  });

  test('leaves its course in the audit log', async () => {
    const { id, url } = await create({ name: 'Audited', webhookIds: [own] });
    const { calls } = await enterPortal(baseUrl, { url });
    expect((await calls.patch(inWorkspace(`/webhooks/${own}`), { isActive: false })).status).toBe(200);
    await workspace.client.webhooks.update(own, { isActive: true });
    expect((await calls.delete('/session')).status).toBe(200);
    await workspace.api.delete(`${links}/${id}`);
    const events = await auditEventsOf(workspace, { target: id });
    expect(events.map(({ action, actor }) => [action, actor.type])).toEqual([
      ['portalLink.revoked', 'key'],
      ['session.ended', 'portal'],
      ['session.begun', 'portal'],
      ['portalLink.created', 'key'],
    ]);
    const [changed] = await auditEventsOf(workspace, { actor: id, action: 'webhook.updated' });
    expect(changed).toMatchObject({
      actor: { type: 'portal', id, name: 'Audited' },
      changes: { isActive: [true, false] },
    });
  });
});

describe('a session', () => {
  test('says who it is, and has a cookie that scripts cannot read', async () => {
    const link = await create({ name: 'Shop team', webhookIds: [own] });
    const opened = await openPortal(baseUrl, link);
    expect(opened.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^parley-portal=prl_pse_\w+; Max-Age=86400; Path=\/; HttpOnly; SameSite=None; Secure; Partitioned$/,
      ),
    ]);
    const cookie = String(opened.headers.getSetCookie()[0]?.split(';')[0]);
    const session = await callsOfPortal(baseUrl, cookie).get('/session');
    expect(session.body.data).toEqual({
      type: 'portal',
      id: link.id,
      name: 'Shop team',
      email: null,
      workspaces: [
        { workspaceId: workspace.id, name: 'Test', role: null, scopes: ['webhooks:read', 'webhooks:write'] },
      ],
      webhookIds: [own],
      isOperator: false,
      expiresAt: expect.any(String) as string,
    });
  });

  test('counts only for the pages of the portal', async () => {
    const { cookie } = await enterPortal(baseUrl, await create());
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await sendHttp(baseUrl, { path: '/v1/session', headers: { cookie, ...headers } })).status;
    const marker = { 'x-parley-console': 'portal' };
    expect(await status({ ...fromPortal })).toBe(200);
    expect(await status({ origin: new URL(baseUrl).origin, ...marker })).toBe(200);
    expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(401);
    expect(await status({ 'sec-fetch-site': 'same-origin', 'x-parley-console': '1' })).toBe(401);
    expect(await status({ 'sec-fetch-site': 'cross-site', ...marker })).toBe(403);
    expect(await status({ 'sec-fetch-site': 'same-site', ...marker })).toBe(403);
    expect(await status({ origin: 'https://evil.example', ...marker })).toBe(403);
    expect(await status(marker)).toBe(403);
  });

  test('is not that of a person, nor the other way round', async () => {
    const { cookie } = await enterPortal(baseUrl, await create());
    const asPerson = callsOfConsole(baseUrl, cookie.replace('parley-portal', 'parley-session'));
    expect((await asPerson.get('/session')).status).toBe(401);
    const person = await signInBy(baseUrl, await createLink(operator, workspace.id));
    const asPortal = callsOfPortal(baseUrl, person.cookie.replace('parley-session', 'parley-portal'));
    expect((await asPortal.get('/session')).status).toBe(401);
  });

  test('begins only from the page of its link', async () => {
    const link = await create();
    const foreignPages: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', 'x-parley-console': 'portal' },
      { origin: 'https://evil.example', 'x-parley-console': 'portal' },
      { 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of foreignPages) {
      expect((await openPortal(baseUrl, link, headers)).body).toMatchObject({
        code: 403,
        type: 'cross-site',
      });
    }
    expect((await openPortal(baseUrl, link)).status).toBe(200);
  });

  test('hides what receivers have answered, unless the link says otherwise', async () => {
    const delivery = await workspace.client.webhooks.sendTest(own);
    const path = inWorkspace(`/webhooks/${own}/deliveries/${delivery.id}/attempts`);
    const excerptIn = async (link: CreatedLink): Promise<unknown> => {
      const { calls } = await enterPortal(baseUrl, link);
      return eventually(async () => {
        const { body } = await calls.get<{ responseExcerpt: string | null }[]>(path);
        expect(body.data).toHaveLength(1);
        return body.data[0]?.responseExcerpt;
      });
    };
    expect(await excerptIn(await create())).toBe('[hidden]');
    expect(await excerptIn(await create({ personalData: true }))).not.toBe('[hidden]');
  });
});

describe('what a session may call', () => {
  const operations = operationsOf(inject('openapi')).filter(({ security }) =>
    security.some((one) => one['key']),
  );
  const values = (webhookId: string): Record<string, string> => ({
    workspaceId: workspace.id,
    webhookId,
    apiKey: workspace.apiKey,
    version: '1',
  });
  const send = async (
    calls: ReturnType<typeof callsOfPortal>,
    operation: (typeof operations)[number],
    webhookId: string,
  ) => {
    const path = operation.path.replace('/v1', '');
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values(webhookId)[name] ?? nowhere);
    const body = operation.requestBody?.content['application/json'].example;
    return calls.call(operation.method, filled, { ...(body !== undefined && { body }) });
  };
  // Deleting and ending come last.
  const order = (id: string): number => (['deleteWebhook', 'endSession'].includes(id) ? 1 : 0);
  const inOrder = operations.toSorted((a, b) => order(a.operationId) - order(b.operationId));
  const ofWebhooks = inOrder.filter(({ path }) => path.includes('{webhookId}'));
  const open = new Set([
    ...ofWebhooks.map(({ operationId }) => operationId),
    'listWebhooks',
    'createWebhook',
    'listEventTypes',
    'getSession',
    'endSession',
  ]);

  test('only operations about webhooks, its own session, and event types', async () => {
    const { calls } = await enterPortal(baseUrl, await create({ personalData: true }));
    const spare = await hook('spare');
    for (const operation of inOrder) {
      const { status, body } = await send(calls, operation, spare);
      if (open.has(operation.operationId)) {
        expect([operation.operationId, status, body.type]).toEqual([
          operation.operationId,
          expect.toBeOneOf([200, 400, 404, 409]),
          body.type,
        ]);
      } else {
        expect([operation.operationId, body.type]).toEqual([
          operation.operationId,
          expect.toBeOneOf(['missing-scope', 'not-for-caller']),
        ]);
      }
    }
    expect(open.size).toBeGreaterThan(18);
  });

  test('with webhookIds, no other webhook exists', async () => {
    const { calls } = await enterPortal(baseUrl, await create({ webhookIds: [own] }));
    const { body } = await calls.get<{ id: string }[]>(inWorkspace('/webhooks'));
    expect(body.data.map(({ id }) => id)).toEqual([own]);
    for (const operation of ofWebhooks) {
      const [hidden, unknown] = [
        await send(calls, operation, foreign),
        await send(calls, operation, nowhere),
      ];
      const isDelete = operation.operationId === 'deleteWebhook';
      expect([operation.operationId, hidden.status, hidden.body.type]).toEqual([
        operation.operationId,
        isDelete ? 403 : 404,
        isDelete ? 'not-for-caller' : 'not-found',
      ]);
      expect(hidden.body.detail).toBe(unknown.body.detail);
    }
    expect((await workspace.client.webhooks.get(foreign)).isActive).toBe(true);
  });

  test.each([
    ['with webhookIds', () => ({ webhookIds: [own] })],
    ['without personalData', () => ({})],
  ])('%s, what a webhook gets stays as it is', async (_, limits) => {
    const { calls } = await enterPortal(baseUrl, await create(limits()));
    for (const events of [{}, { event: 'InteractionCreated' }, { events: ['InteractionCompleted'] }]) {
      const newHook = { url: receiver.url, secretToken: 'mine', isActive: false, ...events };
      expect((await calls.post(inWorkspace('/webhooks'), newHook)).body).toMatchObject({
        code: 403,
        type: 'not-for-caller',
      });
    }
    await workspace.client.webhooks.update(own, { isActive: false });
    expect((await calls.patch(inWorkspace(`/webhooks/${own}`), { isActive: true })).body).toMatchObject({
      code: 403,
      type: 'not-for-caller',
    });
    await workspace.client.webhooks.update(own, { isActive: true });
    const options = inWorkspace(`/webhooks/${own}/options`);
    const elsewhere = { url: `${receiver.url}/elsewhere` };
    for (const change of [
      { events: ['InteractionCreated'] },
      { filter: null },
      { envelope: true },
      elsewhere,
    ]) {
      expect((await calls.patch(options, change)).body).toMatchObject({ code: 403, type: 'not-for-caller' });
    }
    const trusted = await enterPortal(baseUrl, await create({ webhookIds: [own], personalData: true }));
    expect((await trusted.calls.patch(options, { url: receiver.url })).status).toBe(200);
    expect((await calls.patch(options, { ordering: 'strict' })).status).toBe(200);
    expect((await calls.post(inWorkspace(`/webhooks/${own}/secret/rotate`))).status).toBe(200);
  });

  test('with webhookIds, no secret of the company, and nothing that the company has turned off', async () => {
    const limited = await enterPortal(baseUrl, await create({ webhookIds: [own], personalData: true }));
    expect((await limited.calls.delete(inWorkspace(`/webhooks/${own}`))).body).toMatchObject({
      type: 'not-for-caller',
    });
    const path = inWorkspace(`/webhooks/${own}`);
    await workspace.client.webhooks.updateOptions(own, { headers: { 'x-api-key': 'of the company' } });
    for (const change of [{ secretToken: 'foreign' }, { headers: {} }]) {
      expect((await limited.calls.patch(`${path}/options`, change)).body).toMatchObject({
        code: 403,
        type: 'not-for-caller',
      });
    }
    expect((await limited.calls.get(`${path}/options`)).body.data).toMatchObject({ headerNames: [] });
    expect((await limited.calls.get(`${path}/stats`)).body.data).toMatchObject({ waitingEvents: null });
    const set = async (calls: Api, isActive: boolean): Promise<number> =>
      (await calls.patch(path, { isActive })).status;
    const whole = await enterPortal(baseUrl, await create({ personalData: true }));
    expect([await set(limited.calls, false), await set(limited.calls, true)]).toEqual([200, 200]);
    expect([await set(whole.calls, false), await set(limited.calls, true)]).toEqual([200, 200]);
    expect(await set(limited.calls, false)).toBe(200);
    await workspace.client.webhooks.update(own, { isActive: false });
    expect([await set(limited.calls, false), await set(limited.calls, true)]).toEqual([200, 403]);
    expect((await workspace.client.webhooks.get(own)).isActive).toBe(false);
    expect(await set(whole.calls, true)).toBe(200);
  });

  test('to move a webhook to another server without the secrets of the company', async () => {
    const paths: string[] = [];
    const fields: (string | undefined)[] = [];
    await using elsewhere = await startReceiver(({ url, headers }) => {
      paths.push(url);
      fields.push(headers['x-api-key'] as string | undefined);
      return { status: 200 };
    });
    const id = await hook('moving');
    const headers = { 'x-api-key': 'of the company' };
    await workspace.client.webhooks.updateOptions(id, { headers });
    const { calls } = await enterPortal(baseUrl, await create({ personalData: true }));
    const options = inWorkspace(`/webhooks/${id}/options`);
    const headerNames = async (change: object): Promise<unknown> =>
      (await calls.patch<{ headerNames: string[] }>(options, change)).body.data.headerNames;
    expect(await headerNames({ url: `${receiver.url}/same-origin` })).toEqual(['x-api-key']);
    expect(await headerNames({ url: elsewhere.url })).toEqual([]);
    await workspace.client.webhooks.sendTest(id);
    await eventually(() => expect(paths).toHaveLength(1));
    expect(paths[0]).toMatch(/secretToken=/);
    expect([paths[0]?.includes('moving'), fields[0]]).toEqual([false, undefined]);
    // Given in the same call, or moved by the company, they stay.
    expect(await headerNames({ url: receiver.url, headers, secretToken: 'moving' })).toEqual(['x-api-key']);
    const moved = await workspace.client.webhooks.updateOptions(id, { url: elsewhere.url });
    expect(moved.headerNames).toEqual(['x-api-key']);
  });

  test('nothing in another workspace', async () => {
    const { calls } = await enterPortal(baseUrl, await create());
    expect((await calls.get(`/workspaces/${other.id}/webhooks`)).status).toBe(404);
    const { body } = await calls.get<{ workspaces: { scopes: string[] }[] }>('/session');
    expect(body.data.workspaces.flatMap(({ scopes }) => scopes)).toEqual(
      scopeNames.filter((name) => name.startsWith('webhooks:')),
    );
  });
});

describe('the page', () => {
  const policyOf = async (path: string): Promise<string> =>
    String(
      (await sendHttp(baseUrl, { path, headers: { accept: 'text/html' } })).headers[
        'content-security-policy'
      ],
    );

  test('may be in a frame of the allowed domains only', async () => {
    const allowedDomains = ['https://shop.example', 'https://*.partner.example:8443'];
    const framed = await createWorkspace(baseUrl, operator, { allowedDomains });
    const ancestors = 'frame-ancestors https://shop.example https://*.partner.example:8443';
    expect(await policyOf(`/console/portal/${framed.id}`)).toContain(ancestors);
    expect(await policyOf(`/console/portal/${framed.id}/webhooks/${nowhere}`)).toContain(ancestors);
    for (const path of [`/console/portal/${nowhere}`, '/console/portal/x', '/console', '/console/portal']) {
      expect(await policyOf(path)).toContain("frame-ancestors 'none'");
    }
  });

  test('has the branding of the workspace', async () => {
    await workspace.client.branding.update({ displayName: 'Fog & Leaf', accentColor: '#1f5c4a' });
    const path = `/console/portal/${workspace.id}`;
    // Pages show the former branding for a second.
    await eventually(async () => {
      const page = await sendHttp(baseUrl, { path, headers: { accept: 'text/html' } });
      expect(page.text).toContain('<title>Fog &amp; Leaf</title>');
      expect(page.text).toContain('&quot;accentColor&quot;:&quot;#1f5c4a&quot;');
    });
  });
});
