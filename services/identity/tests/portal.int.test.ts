import { randomUUID } from 'node:crypto';
import { scopeNames } from '@parley/contracts/scopes';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Holder, type PeopleWorld, startPeopleWorld } from './people-world.ts';

// Links of the portal, the sessions that they begin, and how both end.

const stack = new AsyncDisposableStack();
let world: PeopleWorld;
let workspaceId: string;
/** A key without limits of the workspace. */
let key: Holder;

beforeAll(async () => {
  world = await startPeopleWorld(stack, '');
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  workspaceId = await world.newWorkspace();
  key = await newKey(workspaceId);
});

async function newKey(id: string, more: { scopes?: string[]; expiresAt?: Date } = {}): Promise<Holder> {
  const limits = { scopes: [], expiresAt: null, ...more };
  const made = await world.operator.createKey({ workspaceId: id, accessIds: [], ...limits }, world.call);
  return { $case: 'apiKey', value: made.apiKey };
}

const webhooksOfAll: string[] = [];
const wish = {
  callerVersion: 1,
  name: 'Team',
  webhookIds: webhooksOfAll,
  personalData: false,
  expiresInSeconds: 3_600,
};
const newLink = async (more: Partial<typeof wish> = {}, by = key) => {
  const request = { workspaceId, ...wish, ...more };
  const { link, code } = await world.identity.createPortalLink(request, world.by(by, workspaceId));
  if (!link) throw new Error('there is no link');
  return { ...link, code };
};
const opened = (code: string, id = workspaceId) =>
  world.identity.openPortalLink({ workspaceId: id, code }, world.call);
const session = (token: string) =>
  world.identity.authenticatePortalSession({ token, holder: '' }, world.call);
const revoke = (portalLinkId: string, by = key, id = workspaceId) =>
  world.identity.revokePortalLink({ workspaceId: id, portalLinkId }, world.by(by, id));
const list = (cursor = '', limit = 50, id = workspaceId) =>
  world.identity.listPortalLinks({ workspaceId: id, cursor, limit }, world.by(key, id));
/** Makes a link end so many seconds ago, and its session with it. */
const endAgo = async (id: string, seconds: number): Promise<void> => {
  const set = `set expires_at = now() - $2::int * interval '1 second'`;
  await world.sql.query(`update identity.portal_link ${set} where id = $1`, [id, seconds]);
  await world.sql.query(`update identity.person_session ${set} where portal_link_id = $1`, [id, seconds]);
};

const invalid = { code: 'unauthenticated', type: 'invalid-link' };
const signedOut = { code: 'unauthenticated' };
const notFound = { code: 'not_found' };

describe('a link', () => {
  test('is listed as it was created, in pages with the newest first, without its code', async () => {
    const webhookIds = [randomUUID()];
    const { code, ...link } = await newLink({ name: 'Shop team', webhookIds, personalData: true });
    expect(link).toMatchObject({ workspaceId, name: 'Shop team', webhookIds, createdBy: key.value });
    expect([link.usedAt, link.revokedAt]).toEqual([null, null]);
    expect(Number(link.expiresAt) - Number(link.createdAt)).toBe(3_600_000);
    const { code: _, ...second } = await newLink();
    const first = await list('', 1);
    const last = await list(first.nextCursor, 1);
    const both = [...first.links, ...last.links];
    expect(both.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([link, second]);
    expect([both[0]?.id, last.nextCursor]).toEqual([(await list()).links[0]?.id, '']);
    expect(JSON.stringify(await list())).not.toContain(code);
    const columns = await world.sql.query('select * from identity.portal_link where id = $1', [link.id]);
    expect(JSON.stringify(columns)).not.toContain(code.split('_').at(-1));
  });

  test('opens one session, also of many who open it at once, and is then used', async () => {
    const { id, code } = await newLink();
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => opened(code)));
    const [begun, ...others] = tries.filter(({ status }) => status === 'fulfilled');
    expect([begun?.status, others]).toEqual(['fulfilled', []]);
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject(invalid);
    expect((await list()).links).toMatchObject([{ id, usedAt: expect.any(Date) }]);
    await expect(opened(code)).rejects.toMatchObject(invalid);
  });

  test('is refused alike under another workspace, with another secret or kind of code, and when it has ended', async () => {
    const link = await newLink();
    const other = await world.newWorkspace();
    const { code: invitation } = await world.operator.createConsoleLink(
      { workspaceId, role: 'viewer', name: 'Ada' },
      world.call,
    );
    const turned = `${link.code.slice(0, -1)}${link.code.endsWith('a') ? 'b' : 'a'}`;
    for (const code of [turned, '', 'nonsense', invitation]) {
      await expect(opened(code)).rejects.toMatchObject(invalid);
    }
    await expect(opened(link.code, other)).rejects.toMatchObject(invalid);
    await endAgo(link.id, 1);
    await expect(opened(link.code)).rejects.toMatchObject(invalid);
  });

  test('needs a caller that could do as much, in its present version', async () => {
    const scopes = (...names: string[]) => newKey(workspaceId, { scopes: names });
    const missing = (pointer: string, detail: string) => ({
      code: 'permission_denied',
      type: 'missing-scope',
      faults: [{ pointer, detail }],
    });
    const ofCaller = '/headers/authorization';
    const [reader, writer] = [await scopes('webhooks:read'), await scopes('webhooks:write')];
    const both = await scopes('webhooks:read', 'webhooks:write');
    await expect(newLink({}, reader)).rejects.toMatchObject(missing(ofCaller, 'webhooks:write'));
    await expect(newLink({}, writer)).rejects.toMatchObject(missing(ofCaller, 'webhooks:read'));
    const hidden = newLink({ personalData: true }, both);
    await expect(hidden).rejects.toMatchObject(missing('/personalData', 'personal-data:read'));
    await expect(newLink({}, both)).resolves.toMatchObject({ createdBy: both.value });
    await expect(newLink({ callerVersion: 2 }, both)).rejects.toMatchObject({ type: 'lost-race' });
    const viewer = await world.signInByLink(workspaceId, 'viewer');
    const person: Holder = { $case: 'personId', value: viewer.personId };
    await expect(newLink({ callerVersion: viewer.version }, person)).rejects.toMatchObject(
      missing('/headers/cookie', 'webhooks:write'),
    );
    expect((await list()).links).toHaveLength(1);
  });

  test('does not outlive the key that creates it', async () => {
    const expiresAt = new Date(Date.now() + 600_000);
    const short = await newKey(workspaceId, { scopes: [...scopeNames], expiresAt });
    expect((await newLink({}, short)).expiresAt).toEqual(expiresAt);
  });

  test('with a name that is too long, or of a workspace that does not exist, is rejected', async () => {
    await expect(newLink({ name: 'x'.repeat(1_000) })).rejects.toMatchObject({ code: 'invalid_argument' });
    const nowhere = randomUUID();
    const request = { ...wish, workspaceId: nowhere };
    await expect(world.identity.createPortalLink(request, world.by(key, nowhere))).rejects.toMatchObject(
      notFound,
    );
  });
});

describe('a session', () => {
  test('says which link it is of and what it may do, and no more than the link', async () => {
    const webhookIds = [randomUUID(), randomUUID()];
    const narrow = await newLink({ name: 'Narrow', webhookIds });
    const { token, expiresAt } = await opened(narrow.code);
    const found = await session(token);
    expect(found).toMatchObject({ portalLinkId: narrow.id, name: 'Narrow', workspaceId, webhookIds });
    expect([found.expiresAt, expiresAt]).toEqual([narrow.expiresAt, narrow.expiresAt]);
    expect(found.scopes).not.toContain('personal-data:read');
    expect(found.grant).not.toBe('');
    const wide = await opened((await newLink({ personalData: true })).code);
    expect((await session(wide.token)).scopes).toEqual(
      expect.arrayContaining([...found.scopes, 'personal-data:read']),
    );
  });

  test('is not that of a person, nor the other way round', async () => {
    const { token } = await opened((await newLink()).code);
    await expect(world.identity.authenticateSession({ token, holder: '' }, world.call)).rejects.toMatchObject(
      signedOut,
    );
    const { code } = await world.operator.createConsoleLink(
      { workspaceId, role: 'owner', name: 'Ada' },
      world.call,
    );
    const person = (await world.identity.openSignInLink({ code }, world.call)).session?.token ?? '';
    await expect(session(person)).rejects.toMatchObject(signedOut);
    for (const wrong of ['', 'nonsense', `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`]) {
      await expect(session(wrong)).rejects.toMatchObject(signedOut);
    }
  });

  test('ends with its link, by a sign-out, and by the revocation of its link, each time for good', async () => {
    const [ended, left, revoked, kept] = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const link = await newLink();
        return { id: link.id, token: (await opened(link.code)).token };
      }),
    );
    if (!ended || !left || !revoked || !kept) throw new Error('there are no sessions');
    await endAgo(ended.id, 1);
    await world.identity.endSession({ token: left.token }, world.call);
    await revoke(revoked.id);
    for (const { token } of [ended, left, revoked]) {
      await expect(session(token)).rejects.toMatchObject(signedOut);
    }
    await expect(world.identity.endSession({ token: left.token }, world.call)).rejects.toMatchObject(
      signedOut,
    );
    await expect(session(kept.token)).resolves.toMatchObject({ portalLinkId: kept.id });
  });
});

describe('a revocation', () => {
  test('is idempotent, is recorded once, and of links of the workspace only', async () => {
    const { id, code } = await newLink();
    const other = await world.newWorkspace();
    await expect(revoke(id, await newKey(other), other)).rejects.toMatchObject(notFound);
    await expect(revoke(randomUUID())).rejects.toMatchObject(notFound);
    const reader = await newKey(workspaceId, { scopes: ['webhooks:read'] });
    await expect(revoke(id, reader)).rejects.toMatchObject({ type: 'missing-scope' });
    await revoke(id);
    const [first] = (await list()).links;
    expect(first?.revokedAt).toBeInstanceOf(Date);
    await revoke(id);
    expect((await list()).links).toEqual([first]);
    await expect(opened(code)).rejects.toMatchObject(invalid);
    const recorded = await world.sql.query<{ action: string }>(
      `select action from identity.audit_log where workspace_id = $1 and targets->0->>'id' = $2 order by id`,
      [workspaceId, id],
    );
    expect(recorded.map(({ action }) => action)).toEqual(['portalLink.created', 'portalLink.revoked']);
  });

  test('and an opening at once end without a session', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, code } = await newLink();
      const [begun] = await Promise.allSettled([opened(code), revoke(id)]);
      if (begun.status === 'fulfilled') {
        await expect(session(begun.value.token)).rejects.toMatchObject(signedOut);
      } else {
        expect(begun.reason).toMatchObject(invalid);
      }
    }
  });
});
