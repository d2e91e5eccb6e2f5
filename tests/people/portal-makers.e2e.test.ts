import type { Scope } from '@parley/contracts/scopes';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { auditEventsOf } from './audit-log.ts';
import { createLink, openLink, signInBy } from './console-people.ts';
import { callsIn, createKey } from './limited-keys.ts';
import { type CreatedLink, enterPortal, openPortal } from './portal-sessions.ts';

// Keys, invitations and links of the portal end with what their maker could do, as exactly as a revocation.

const { baseUrl } = inject('local');
const operator = inject('operator');
const links = '/webhooks/portal-links';

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, operator);
});

/** Opens a link, and returns the status of a call of its session, and of the opening of another link. */
async function openedBy(create: (body: object) => Promise<CreatedLink>, body: object = {}) {
  const { calls } = await enterPortal(baseUrl, await create(body));
  const unopened = await create(body);
  const session = async (): Promise<number> =>
    (await calls.get(`/workspaces/${workspace.id}/webhooks`)).status;
  expect(await session()).toBe(200);
  return { session, open: async () => (await openPortal(baseUrl, unopened)).status, id: unopened.id };
}

/** Returns a new key, and what creates links with it. */
async function maker() {
  const key = await createKey(workspace, ['webhooks:read', 'webhooks:write', 'personal-data:read']);
  const calls = callsIn(baseUrl, workspace.id, key);
  const create = async (body: object): Promise<CreatedLink> =>
    (await calls.post<CreatedLink>(links, body)).body.data;
  return { create, path: `/apikeys/${key.apiKey}` };
}

describe('links and their sessions are over with the answer of a call that', () => {
  test('revokes their key, and each leaves an audit event', async () => {
    const { create, path } = await maker();
    const made = await openedBy(create);
    const others = await openedBy((await maker()).create);
    expect((await workspace.api.delete(path)).status).toBe(200);
    expect([await made.session(), await made.open()]).toEqual([401, 401]);
    expect([await others.session(), await others.open()]).toEqual([200, 200]);
    const events = await auditEventsOf(workspace, { target: made.id });
    expect(events.map(({ action }) => action)).toEqual(['portalLink.revoked', 'portalLink.created']);
  });

  test('narrows their key, if it could not make them any more', async () => {
    const { create, path } = await maker();
    const whole = await openedBy(create, { personalData: true });
    const hidden = await openedBy(create);
    const narrow = { scopes: ['webhooks:read', 'webhooks:write'] };
    expect((await workspace.api.patch(path, narrow)).status).toBe(200);
    expect([await whole.session(), await whole.open()]).toEqual([401, 401]);
    expect([await hidden.session(), await hidden.open()]).toEqual([200, 200]);
    expect((await workspace.api.patch(path, { scopes: ['webhooks:read'] })).status).toBe(200);
    expect(await hidden.session()).toBe(401);
  });

  test('lets their key end before them', async () => {
    const { create, path } = await maker();
    const short = await openedBy(create, { expiresInSeconds: 600 });
    const long = await openedBy(create, { expiresInSeconds: 7_200 });
    const expiresAt = new Date(Date.now() + 3_600_000);
    expect((await workspace.api.patch(path, { expiresAt })).status).toBe(200);
    expect([await long.session(), await long.open()]).toEqual([401, 401]);
    expect([await short.session(), await short.open()]).toEqual([200, 200]);
  });

  test('removes or narrows the member that made them', async () => {
    for (const role of [undefined, 'viewer']) {
      const { personId, calls } = await signInBy(baseUrl, await createLink(operator, workspace.id, 'admin'));
      const create = async (body: object): Promise<CreatedLink> =>
        (await calls.post<CreatedLink>(`/workspaces/${workspace.id}${links}`, body)).body.data;
      const made = await openedBy(create);
      const members = await workspace.api.get<{ memberId: string; personId: string }[]>('/members');
      const path = `/members/${members.body.data.find((one) => one.personId === personId)?.memberId}`;
      const changed = role ? workspace.api.patch(path, { role }) : workspace.api.delete(path);
      expect((await changed).status).toBe(200);
      expect([await made.session(), await made.open()]).toEqual([401, 401]);
    }
  });
});

describe('an API key that a key has made is refused, and its invitation, with the answer of a call that', () => {
  /** Makes a key, and with it another one. */
  async function chain() {
    const scopes: Scope[] = [
      'keys:write',
      'workspace:write',
      'workspace:read',
      'webhooks:read',
      'webhooks:write',
    ];
    const first = await createKey(workspace, [...scopes, ...readScopes]);
    const calls = callsIn(baseUrl, workspace.id, first);
    const made = await calls.post<{ apiKey: string; secret: string }>('/apikeys', {
      name: 'Made',
      scopes: ['customers:read', 'webhooks:read', 'webhooks:write'],
    });
    const { apiKey } = made.body.data;
    const child = callsIn(baseUrl, workspace.id, made.body.data);
    const link = (body: object) => child.post<CreatedLink>(links, body).then(({ body: { data } }) => data);
    const email = `${apiKey.toLowerCase()}@shop.example`;
    const invited = await calls.post<{ url: string }>('/members/invitations', { email, role: 'viewer' });
    return {
      path: `/apikeys/${first.apiKey}`,
      read: async () => (await child.get('/customers')).status,
      link: await openedBy(link),
      accept: async () => (await openLink(baseUrl, new URL(invited.body.data.url).hash.slice(1))).status,
    };
  }
  const readScopes: Scope[] = [
    'customers:read',
    'interactions:read',
    'bots:read',
    'insight:read',
    'personal-data:read',
  ];

  test.each<[string, (path: string) => Promise<{ status: number }>]>([
    ['revokes its maker', (path) => workspace.api.delete(path)],
    ['narrows its maker', (path) => workspace.api.patch(path, { scopes: ['bots:read'] })],
  ])('%s', async (_, change) => {
    for (let round = 0; round < 3; round += 1) {
      const { path, read, link, accept } = await chain();
      expect([await read(), await link.session()]).toEqual([200, 200]);
      expect((await change(path)).status).toBe(200);
      expect([await read(), await link.session(), await accept()]).toEqual([401, 401, 401]);
    }
  });
});
