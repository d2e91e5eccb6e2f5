import type { Role } from '@parley/contracts/roles';
import { roleScopes } from '@parley/contracts/roles';
import { api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { openSqlConnection } from '@parley/testing/database/sql';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { auditEventsOf } from './audit-log.ts';
import {
  callsOfConsole,
  cookieOf,
  createLink,
  fromConsole,
  openLink,
  type Person,
  signInBy,
} from './console-people.ts';
import { sendHttp } from '../api/http-request.ts';

// Contract 2, section 12: people.

const { baseUrl, postgresUrl } = inject('local');
const operator = inject('operator');

let workspace: TestWorkspace;
let other: TestWorkspace;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, operator);
  other = await createWorkspace(baseUrl, operator);
});

const signIn = async (role?: Role, at = workspace, name?: string): Promise<Person> =>
  signInBy(baseUrl, await createLink(operator, at.id, role, name));
const customers = () => `/workspaces/${workspace.id}/customers`;

/** Changes the stored instants of sessions or links, as time would. */
async function inDatabase(text: string, values: unknown[]): Promise<void> {
  await using session = await openSqlConnection(postgresUrl);
  await session.query(text, values);
}

describe('a link', () => {
  test('signs a person in once, with a cookie that scripts cannot read', async () => {
    const code = await createLink(operator, workspace.id, 'editor', 'Ada');
    const opened = await openLink(baseUrl, code);
    expect(opened.body).toMatchObject({ success: true, data: { location: '/console' } });
    expect(opened.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^parley-session=prl_ses_\w+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const calls = callsOfConsole(baseUrl, cookieOf(opened));
    expect((await calls.get('/session')).body.data).toEqual({
      type: 'person',
      id: expect.any(String) as string,
      name: 'Ada',
      email: null,
      isOperator: false,
      workspaces: [
        { workspaceId: workspace.id, name: 'Test', role: 'editor', scopes: roleScopes('editor', true) },
      ],
      webhookIds: null,
      expiresAt: expect.any(String) as string,
    });
    const again = await openLink(baseUrl, code);
    expect(again.body).toMatchObject({ code: 401, type: 'invalid-link' });
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  test('leaves audit events of its creation, of the sign-in, of what the person does, and of the sign-out', async () => {
    const own = await createWorkspace(baseUrl, operator);
    const { cookie } = await signIn('admin', own, 'Grace');
    const calls = callsOfConsole(baseUrl, cookie);
    const { id } = (await calls.get<{ id: string }>('/session')).body.data;
    expect((await calls.post(`/workspaces/${own.id}/customers`, { id: 'c' })).status).toBe(200);
    expect((await calls.delete('/session')).status).toBe(200);
    const person = { type: 'person', id, name: 'Grace' };
    expect(await auditEventsOf(own)).toMatchObject([
      { action: 'session.ended', actor: person, targets: [{ type: 'person', id }] },
      { action: 'customer.created', actor: person },
      { action: 'session.begun', actor: person, clientAddress: '127.0.0.1' },
      { action: 'member.joined', actor: person, changes: { role: [null, 'admin'] } },
      { action: 'consoleLink.created', actor: { type: 'operator' } },
      { action: 'key.created' },
      { action: 'workspace.created' },
    ]);
  });

  test('of concurrent uses, one succeeds', async () => {
    const code = await createLink(operator, workspace.id);
    const opened = await Promise.all(Array.from({ length: 8 }, () => openLink(baseUrl, code)));
    expect(opened.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(7).fill(401),
    ]);
  });

  test('is not valid after 15 minutes, with another secret, or for another purpose', async () => {
    const code = await createLink(operator, workspace.id);
    const { cookie } = await signIn();
    const session = cookie.replace('parley-session=', '');
    for (const wrong of [code.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), session]) {
      expect((await openLink(baseUrl, wrong)).body).toMatchObject({ code: 401, type: 'invalid-link' });
    }
    for (const short of ['', 'x', code.slice(0, -1), `${code.slice(0, -1)}%E2%80%8B`]) {
      expect((await openLink(baseUrl, short)).body).toMatchObject({ code: 401, type: 'incomplete-link' });
    }
    await inDatabase(`update identity.sign_in_link set expires_at = now() where workspace_id = $1`, [
      workspace.id,
    ]);
    expect((await openLink(baseUrl, code)).body).toMatchObject({ code: 401, type: 'invalid-link' });
  });

  test.each([
    ['an invisible character in it', (code: string) => `${code.slice(0, 20)}%E2%80%8B${code.slice(20)}`],
    [
      'an encoded underscore, and a line break',
      (code: string) => code.replace('_', '%5F').replace('_', '_%0A'),
    ],
    ['a full stop behind it', (code: string) => `${code}.`],
    ['text behind it', (code: string) => `${code}&amp;utm_source=mail`],
  ])('is valid with %s', async (_, changed) => {
    const code = changed(await createLink(operator, workspace.id));
    expect((await openLink(baseUrl, code)).status).toBe(200);
  });

  test('is not used up by a request of its page, and its page keeps no code', async () => {
    const code = await createLink(operator, workspace.id);
    const page = await sendHttp(baseUrl, { path: `/console/sign-in/link?${code}` });
    expect(page.status).toBe(200);
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect((await openLink(baseUrl, code)).status).toBe(200);
  });

  test('is not used up by a browser with two cookies of the session, of which one may be planted', async () => {
    const code = await createLink(operator, workspace.id);
    for (const cookie of ['parley-session=a; parley-session=b', 'parley-session=a; parley-session="b"']) {
      expect((await openLink(baseUrl, code, cookie)).body).toMatchObject({
        code: 401,
        detail: expect.stringContaining('parley-session twice') as string,
      });
    }
    expect((await openLink(baseUrl, code)).status).toBe(200);
  });

  test('needs a workspace, a role and a name', async () => {
    await expect(createLink(operator, other.id, 'boss' as Role)).rejects.toMatchObject({
      faults: [{ pointer: '/role' }],
    });
    await expect(createLink(operator, other.id, 'owner', '')).rejects.toMatchObject({
      faults: [{ pointer: '/name' }],
    });
    const nowhere = '01890000-0000-7000-8000-000000000000';
    await expect(createLink(operator, nowhere)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is what the page of a deployment without a provider asks for', async () => {
    const page = await sendHttp(baseUrl, { path: '/console/sign-in', headers: { accept: 'text/html' } });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('parley console link')]);
  });
});

describe('a call with a cookie', () => {
  const matching = new URL(baseUrl).origin;
  const marker = { 'x-parley-console': '1' };
  const same = { 'sec-fetch-site': 'same-origin' };

  test.each<[string, Record<string, string>, number]>([
    ['same-origin with the marker', { ...same, ...marker }, 200],
    ['a matching Origin with the marker', { origin: matching, ...marker }, 200],
    ['same-origin without the marker', same, 403],
    ['another marker', { ...same, 'x-parley-console': '0' }, 403],
    ['only the marker', marker, 403],
    ['same-site', { 'sec-fetch-site': 'same-site', ...marker }, 403],
    ['cross-site', { 'sec-fetch-site': 'cross-site', ...marker }, 403],
    [
      'cross-site with a matching Origin',
      { 'sec-fetch-site': 'cross-site', origin: matching, ...marker },
      403,
    ],
    ['none, as in the address bar', { 'sec-fetch-site': 'none', ...marker }, 403],
    ['another Origin', { origin: 'https://evil.example', ...marker }, 403],
    ['another scheme', { origin: matching.replace('http:', 'https:'), ...marker }, 403],
    ['another port', { origin: matching.replace(/\d+$/, '1'), ...marker }, 403],
    ['the origin of a sandbox', { origin: 'null', ...marker }, 403],
  ])('%s: %$', async (_, headers, status) => {
    const { cookie } = await signIn();
    for (const method of ['GET', 'POST']) {
      const answer = await sendHttp(baseUrl, {
        method,
        path: `/v1${customers()}`,
        headers: { cookie, ...headers, ...(method === 'POST' && { 'content-type': 'application/json' }) },
        ...(method === 'POST' && { body: JSON.stringify({ id: `c-${Math.random()}` }) }),
      });
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        status,
        expect.objectContaining(status === 200 ? { success: true } : { type: 'cross-site' }),
      ]);
    }
  });

  test('is answered for no cache, also to a conditional request, and one with a key for its own', async () => {
    const { calls, cookie } = await signIn('viewer');
    for (const path of ['/session', customers()]) {
      const { headers } = await calls.get(path);
      const again = await calls.get(path, { 'if-none-match': String(headers.get('etag')) });
      expect([path, headers.get('cache-control'), again.status, again.headers.get('cache-control')]).toEqual([
        path,
        'no-store',
        304,
        'no-store',
      ]);
    }
    const ofKey = await workspace.api.get('/customers', { cookie });
    expect(ofKey.headers.get('cache-control')).toBe('private, no-cache');
  });

  test('counts only without an Authorization header', async () => {
    const { cookie } = await signIn('viewer');
    const headers = { cookie, authorization: basic(workspace.apiKey, workspace.apiSecret) };
    const { body } = await api(baseUrl, undefined).get<{ type: string }>('/v1/session', headers);
    expect(body.data.type).toBe('key');
  });

  test('without a session is rejected without a password prompt of the browser', async () => {
    for (const cookie of [
      'parley-session=x',
      '',
      `parley-session=prl_ses_${'0'.repeat(32)}_${'a'.repeat(43)}`,
    ]) {
      const { status, headers, body } = await callsOfConsole(baseUrl, cookie).get('/session');
      expect([status, body.type]).toEqual([401, 'invalid-credentials']);
      expect(headers.get('www-authenticate')).toBe('Session realm="parley"');
    }
  });
});

describe('a session', () => {
  test('ends when the person signs out, and only this one', async () => {
    const { calls } = await signIn();
    const neighbour = await signIn();
    expect((await calls.get(customers())).status).toBe(200);
    const { status, headers } = await calls.delete('/session');
    expect([status, headers.getSetCookie()]).toEqual([
      200,
      [expect.stringMatching(/^parley-session=; Max-Age=0; /)],
    ]);
    expect((await calls.get(customers())).status).toBe(401);
    expect((await neighbour.calls.get(customers())).status).toBe(200);
  });

  test('ends before the answer to another sign-in of its browser, and not if that fails', async () => {
    const own = await createWorkspace(baseUrl, operator);
    const former = await signIn('viewer', own);
    const code = await createLink(operator, workspace.id);
    expect((await openLink(baseUrl, code.slice(0, -1), former.cookie)).status).toBe(401);
    expect((await former.calls.get('/session')).status).toBe(200);
    const opened = await openLink(baseUrl, code, former.cookie);
    expect(opened.status).toBe(200);
    expect((await former.calls.get('/session')).status).toBe(401);
    expect((await callsOfConsole(baseUrl, cookieOf(opened)).get('/session')).status).toBe(200);
    const [ended] = await auditEventsOf(own, { action: 'session.ended' });
    expect(ended).toMatchObject({
      actor: { type: 'person', id: former.personId },
      requestId: opened.headers.get('x-request-id'),
    });
    // A cookie of a session that has ended, and one of none.
    for (const cookie of [former.cookie, 'parley-session=x']) {
      const next = await createLink(operator, workspace.id);
      expect((await openLink(baseUrl, next, cookie)).status).toBe(200);
    }
  });

  test.each([
    ['12 hours without a call', 'seen_at', '12 hours'],
    ['7 days', 'expires_at', '0 hours'],
  ])('ends after %s', async (_, column, before) => {
    const { calls, personId } = await signIn();
    // Gateways have not cached it yet where it is read for the first time after the change.
    const text = `update identity.person_session set ${column} = now() - $2::interval where person_id = $1`;
    await inDatabase(text, [personId, before]);
    await expect.poll(async () => (await calls.get('/session')).status, { timeout: 60_000 }).toBe(401);
  });

  test('is that of a key for a key, which has none to end', async () => {
    const keyCalls = api(`${baseUrl}/v1`, basic(workspace.apiKey, workspace.apiSecret));
    expect((await keyCalls.get('/session')).body.data).toMatchObject({
      type: 'key',
      id: workspace.apiKey,
      email: null,
      workspaces: [{ workspaceId: workspace.id, role: null }],
      expiresAt: null,
    });
    expect((await keyCalls.delete('/session')).body).toMatchObject({ code: 403, type: 'not-for-caller' });
  });
});

describe('a person', () => {
  test('has the scopes of the role, in its workspace only', async () => {
    const viewer = await signIn('viewer');
    expect((await viewer.calls.get(customers())).status).toBe(200);
    expect((await viewer.calls.post(customers(), { id: 'new' })).body).toMatchObject({
      type: 'missing-scope',
      errors: [{ pointer: '/headers/cookie', detail: 'customers:write' }],
    });
    expect((await viewer.calls.get(`/workspaces/${other.id}/customers`)).status).toBe(404);
    const { body } = await viewer.calls.get<{ id: string }[]>('/workspaces');
    expect(body.data.map(({ id }) => id)).toEqual([workspace.id]);
  });

  test('creates, changes and revokes keys that can do no more, and rotates none', async () => {
    const admin = await signIn('admin');
    const keys = `/workspaces/${workspace.id}/apikeys`;
    const created = await admin.calls.post<{ apiKey: string; createdBy: string }>(keys, {
      name: 'Of a person',
      scopes: ['bots:read', 'keys:write'],
    });
    expect(created.body).toMatchObject({ success: true, data: { createdBy: admin.personId } });
    const { apiKey } = created.body.data;
    expect((await admin.calls.patch(`${keys}/${apiKey}`, { scopes: ['bots:read'] })).status).toBe(200);
    expect((await admin.calls.delete(`${keys}/${apiKey}`)).status).toBe(200);
    expect((await admin.calls.post(`${keys}/rotate`)).body).toMatchObject({ type: 'not-for-caller' });
    // A key without limits counts as an owner.
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'Of an admin' } : undefined;
      const refused = await admin.calls.call(method, `${keys}/${workspace.apiKey}`, { body });
      expect(refused.body).toMatchObject({ code: 403, type: 'stronger-key' });
    }
    const editor = await signIn('editor');
    expect((await editor.calls.post(keys, { name: 'x', scopes: ['bots:read'] })).body.type).toBe(
      'missing-scope',
    );
  });

  test('has idempotency keys of its own', async () => {
    const [ada, bob] = [await signIn(), await signIn()];
    const create = (by: Person, id: string) =>
      by.calls.post<{ id: string }>(customers(), { id }, { 'idempotency-key': 'of-people' });
    expect((await create(ada, 'of-ada')).status).toBe(200);
    expect((await create(bob, 'of-bob')).body.data.id).toBe('of-bob');
    expect((await create(ada, 'of-ada')).headers.get('idempotency-replayed')).toBe('true');
    expect((await create(ada, 'of-another')).body.type).toBe('idempotency-key-reused');
  });
});

interface Member {
  memberId: string;
  personId: string | null;
  role: Role;
  status: string;
  url?: string;
}

describe('members', () => {
  const members = () => `/workspaces/${workspace.id}/members`;
  const memberOf = async ({ personId }: Person, at = workspace): Promise<Member> => {
    const { body } = await at.api.get<Member[]>('/members?limit=50');
    const found = body.data.find((one) => one.personId === personId);
    if (!found) throw new Error('the workspace has no such member');
    return found;
  };
  const invite = (by: Pick<Person, 'calls'>, email: string, role: Role, more = {}) =>
    by.calls.post<Member & { url: string }>(`${members()}/invitations`, { email, role, ...more });
  const codeIn = (url: string) => new URL(url).hash.slice(1);

  test('are invited with a role, and join by the link, which is valid once and for a week', async () => {
    const owner = await signIn('owner');
    const invited = await invite(owner, 'fay@shop.example', 'editor', { personalData: false });
    expect(invited.body.data).toMatchObject({
      email: 'fay@shop.example',
      name: null,
      role: 'editor',
      personalData: false,
      status: 'invited',
      origin: 'invitation',
      url: expect.stringMatching(`^${baseUrl}/console/sign-in/link#prl_lnk_`) as string,
    });
    const again = await invite(owner, 'FAY@shop.example', 'viewer');
    expect(again.body.data).toMatchObject({ memberId: invited.body.data.memberId, role: 'viewer' });
    expect((await openLink(baseUrl, codeIn(invited.body.data.url))).body.type).toBe('invalid-link');
    const fay = await signInBy(baseUrl, codeIn(again.body.data.url));
    expect(await memberOf(fay)).toMatchObject({ status: 'active', role: 'viewer' });
    expect((await openLink(baseUrl, codeIn(again.body.data.url))).body.type).toBe('invalid-link');
    expect((await invite(owner, 'fay@shop.example', 'viewer')).body).toMatchObject({
      code: 409,
      type: 'member-exists',
    });
  });

  test('cannot be given or lose more than the caller has, and only owners change owners', async () => {
    const [owner, admin, viewer] = [await signIn('owner'), await signIn('admin'), await signIn('viewer')];
    const { memberId: ownerId } = await memberOf(owner);
    const { memberId: viewerId } = await memberOf(viewer);
    const refused = { code: 403, type: 'owner-only' };
    expect((await invite(admin, 'x@shop.example', 'owner')).body).toMatchObject(refused);
    expect((await admin.calls.patch(`${members()}/${ownerId}`, { role: 'viewer' })).body).toMatchObject(
      refused,
    );
    expect((await admin.calls.patch(`${members()}/${viewerId}`, { role: 'owner' })).body).toMatchObject(
      refused,
    );
    expect((await admin.calls.delete(`${members()}/${ownerId}`)).body).toMatchObject(refused);
    for (const call of [
      viewer.calls.delete(`${members()}/${viewerId}`),
      invite(viewer, 'x@shop.example', 'viewer'),
    ]) {
      expect((await call).body).toMatchObject({ code: 403, type: 'missing-scope' });
    }
    const created = await workspace.api.post<{ apiKey: string; secret: string }>('/apikeys', {
      name: 'Members only',
      scopes: ['workspace:read', 'workspace:write'],
    });
    const { apiKey, secret } = created.body.data;
    const weak = api(`${baseUrl}/v1${members()}`, basic(apiKey, secret));
    expect((await weak.patch(`/${viewerId}`, { role: 'admin' })).body.type).toBe('missing-scope');
    expect((await weak.delete(`/${viewerId}`)).body.type).toBe('missing-scope');
    expect((await owner.calls.delete(`${members()}/${viewerId}`)).status).toBe(200);
    expect((await viewer.calls.get('/session')).status).toBe(401);
  });

  test('always have an owner among them', async () => {
    const made = await createWorkspace(baseUrl, operator);
    const owner = await signIn('owner', made);
    const { memberId } = await memberOf(owner, made);
    const path = `/workspaces/${made.id}/members/${memberId}`;
    const refused = { code: 409, type: 'last-owner' };
    expect((await owner.calls.delete(path)).body).toMatchObject(refused);
    expect((await owner.calls.patch(path, { role: 'admin' })).body).toMatchObject(refused);
    const second = await signIn('owner', made);
    // Of two owners who leave at once, one stays.
    const leaving = [owner, second].map(async (one) => {
      const { memberId: id } = await memberOf(one, made);
      return one.calls.delete(`/workspaces/${made.id}/members/${id}`);
    });
    expect((await Promise.all(leaving)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
  });

  test('have no owner who came by a link of the operator and has signed out', async () => {
    const made = await createWorkspace(baseUrl, operator);
    const owner = await signIn('owner', made);
    const second = await signIn('owner', made);
    expect((await second.calls.delete('/session')).status).toBe(200);
    const { memberId } = await memberOf(owner, made);
    const path = `/workspaces/${made.id}/members/${memberId}`;
    expect((await owner.calls.patch(path, { role: 'admin' })).body).toMatchObject({ type: 'last-owner' });
  });

  test('leave the workspace by themselves, whatever their role, and lose access before the answer', async () => {
    const own = await createWorkspace(baseUrl, operator);
    const membership = `/workspaces/${own.id}/membership`;
    const [owner, viewer] = [await signIn('owner', own), await signIn('viewer', own)];
    const { memberId } = await memberOf(viewer, own);
    expect((await viewer.calls.delete(`/workspaces/${workspace.id}/membership`)).status).toBe(404);
    expect((await viewer.calls.delete(membership)).status).toBe(200);
    expect((await viewer.calls.get('/session')).status).toBe(401);
    const [removed] = await auditEventsOf(own, { action: 'member.removed' });
    expect(removed).toMatchObject({
      actor: { type: 'person', id: viewer.personId },
      targets: [
        { type: 'member', id: memberId },
        { type: 'person', id: viewer.personId },
      ],
    });
    expect((await owner.calls.delete(membership)).body).toMatchObject({ code: 409, type: 'last-owner' });
    expect((await own.api.delete('/membership')).body).toMatchObject({ code: 403, type: 'not-for-caller' });
  });

  test('are changed only in the version that was read', async () => {
    const owner = await signIn('owner');
    const { memberId } = await memberOf(await signIn('viewer'));
    const path = `${members()}/${memberId}`;
    const etag = String((await owner.calls.get(path)).headers.get('etag'));
    expect((await owner.calls.patch(path, { role: 'editor' }, { 'if-match': etag })).status).toBe(200);
    expect((await owner.calls.patch(path, { role: 'admin' }, { 'if-match': etag })).status).toBe(412);
    expect((await owner.calls.delete(path, { 'if-match': etag })).status).toBe(412);
  });

  test('that are changed or removed lose what they could do before the answer', async () => {
    const owner = await signIn('owner');
    for (let round = 0; round < 5; round += 1) {
      const admin = await signIn('admin');
      const path = `${members()}/${(await memberOf(admin)).memberId}`;
      const write = () => admin.calls.post(customers(), { id: `c-${Math.random()}` });
      expect((await write()).status).toBe(200);
      expect((await owner.calls.patch(path, { role: 'viewer' })).status).toBe(200);
      expect((await write()).status).toBe(403);
      expect((await owner.calls.patch(path, { role: 'admin' })).status).toBe(200);
      expect((await write()).status).toBe(200);
      expect((await owner.calls.delete(path)).status).toBe(200);
      expect((await write()).status).toBe(401);
    }
  });
});

test('only the headers of a page let a browser open a link', async () => {
  const code = await createLink(operator, workspace.id);
  const { 'x-parley-console': _, ...headers } = fromConsole;
  const { body } = await api(baseUrl, undefined).post('/console/sign-in/link', { code }, headers);
  expect(body).toMatchObject({ code: 403, type: 'cross-site' });
  expect((await openLink(baseUrl, code)).status).toBe(200);
});
