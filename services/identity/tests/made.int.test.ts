import { randomUUID } from 'node:crypto';
import { type Scope, scopeNames } from '@parley/contracts/scopes';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Holder, type PeopleWorld, startPeopleWorld } from './people-world.ts';

// What keys and people have made ends with what they could do: the table of docs/access.md.

const stack = new AsyncDisposableStack();
let world: PeopleWorld;
let workspaceId: string;
/** A key without limits, which makes the changes. */
let root: Holder;

beforeAll(async () => {
  world = await startPeopleWorld(stack, 'admins=admin,staff=viewer');
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  workspaceId = await world.newWorkspace();
  root = await newKey([]);
});

async function newKey(scopes: Scope[]): Promise<Holder> {
  const request = { workspaceId, accessIds: [], scopes, expiresAt: null };
  const { apiKey } = await world.operator.createKey(request, world.call);
  return { $case: 'apiKey', value: apiKey };
}

/** Makes one of each as the maker: a link for an hour, an invitation, and a key, which makes another one. */
async function makeAll(maker: Holder, callerVersion = 1) {
  const { identity, call } = world;
  const by = world.by(maker, workspaceId);
  const shared = { workspaceId, callerVersion };
  const { link } = await identity.createPortalLink(
    { ...shared, name: 'Team', webhookIds: [], personalData: false, expiresInSeconds: 3_600 },
    by,
  );
  const email = `${randomUUID()}@x.example`;
  const invitation = { ...shared, email, role: 'viewer', personalData: true };
  const { code } = await identity.inviteMember(invitation, by);
  const ofKey = { workspaceId, callerVersion: 1, name: 'Made', expiresAt: null };
  const key = await identity.createApiKey(
    { ...shared, ...ofKey, callerVersion, scopes: ['customers:read', 'keys:write'] },
    by,
  );
  const childBy = world.by({ $case: 'apiKey', value: String(key.key?.apiKey) }, workspaceId);
  const child = await identity.createApiKey({ ...ofKey, scopes: ['customers:read'] }, childBy);

  const isLive = (asked: Promise<unknown>): Promise<boolean> =>
    asked.then(
      () => true,
      (error: { code: string }) => {
        if (error.code !== 'unauthenticated') throw error;
        return false;
      },
    );
  const authenticated = ({ key: made, secret }: typeof key) =>
    identity.authenticate(
      { apiKey: String(made?.apiKey), apiSecret: secret, holder: '', checksScopes: true },
      call,
    );
  /** Returns the names of what has not ended. */
  const live = async (): Promise<string[]> => {
    const [{ over } = {}] = await world.sql.query<{ over: boolean }>(
      'select revoked_at is not null as over from identity.portal_link where id = $1',
      [link?.id],
    );
    const states = {
      link: over === false,
      invitation: await isLive(world.begin(code)),
      key: await isLive(authenticated(key)),
      'key of the key': await isLive(authenticated(child)),
    };
    return Object.entries(states).flatMap(([name, is]) => (is ? [name] : []));
  };
  expect(await live()).toEqual(all);
  return { live, email, ids: [link?.id, key.key?.apiKey, child.key?.apiKey] };
}

const all = ['link', 'invitation', 'key', 'key of the key'];

describe('what a key has made', () => {
  const without = (scope: Scope) => ({ scopes: scopeNames.filter((one) => one !== scope) });
  const inHours = (hours: number) => ({ expiry: { expiresAt: new Date(Date.now() + hours * 3_600_000) } });

  test.each<[string, { scopes?: Scope[]; expiry?: { expiresAt: Date }; name?: string }, string[]]>([
    ['webhooks:write', without('webhooks:write'), ['invitation', 'key', 'key of the key']],
    ['workspace:write', without('workspace:write'), ['link', 'key', 'key of the key']],
    ['keys:write', without('keys:write'), ['link', 'invitation']],
    ['a scope of it', without('customers:read'), ['link']],
    ['personal-data:read', without('personal-data:read'), ['link', 'key', 'key of the key']],
    ['what it does not need', without('bots:write'), all],
    ['its time after two hours', inHours(2), ['link']],
    ['its time after half an hour', inHours(0.5), []],
    ['its name only', { name: 'Other' }, all],
  ])('ends, if it could not make it any more, when it loses %s', async (_, change, left) => {
    const maker = await newKey([...scopeNames]);
    const { live } = await makeAll(maker);
    const same = { scopes: [], expiry: null };
    const request = { workspaceId, apiKey: maker.value, callerVersion: 1, ...same, ...change };
    await world.identity.updateApiKey(request, world.by(root, workspaceId));
    expect(await live()).toEqual(left);
  });

  test('ends when it is revoked, in each workspace, with an audit event for each', async () => {
    const maker = await newKey([]);
    const { live, ids } = await makeAll(maker);
    const others = await makeAll(await newKey([]));
    await world.identity.revokeApiKey({ workspaceId, apiKey: maker.value }, world.by(root, workspaceId));
    expect(await live()).toEqual([]);
    expect(await others.live()).toEqual(all);
    const events = await world.sql.query<{ action: string; id: string; actor: string }>(
      `select action, targets->0->>'id' as id, actor_id as actor from identity.audit_log
       where workspace_id = $1 and action in ('portalLink.revoked', 'key.revoked', 'member.removed')`,
      [workspaceId],
    );
    expect(events.filter(({ action }) => action === 'member.removed')).toHaveLength(1);
    expect(events.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids, maker.value]));
    expect(new Set(events.map(({ actor }) => actor))).toEqual(new Set([root.value]));
  });

  test('ends when the operator or a key of its own revokes it', async () => {
    const [first, second] = [await newKey([]), await newKey([])];
    const made = [await makeAll(first), await makeAll(second)];
    await world.operator.revokeKey({ apiKey: first.value }, world.call);
    await world.identity.revokeApiKey({ workspaceId, apiKey: second.value }, world.by(second, workspaceId));
    expect(await Promise.all(made.map(({ live }) => live()))).toEqual([[], []]);
  });

  test('stays if a key of the operator has given it its scopes again, and not if a made key has', async () => {
    const [maker, other] = [await newKey([]), await newKey([])];
    const made = await makeAll(maker);
    const [, key = '', child = ''] = made.ids;
    const again = (by: string, apiKey: string, scopes: Scope[]) =>
      world.identity.updateApiKey(
        { workspaceId, apiKey, callerVersion: 1, scopes, expiry: null },
        world.by({ $case: 'apiKey', value: by }, workspaceId),
      );
    await again(key, child, ['customers:read']);
    await expect(again(other.value, key, ['customers:read', 'keys:write'])).resolves.toMatchObject({
      createdBy: other.value,
    });
    await world.operator.revokeKey({ apiKey: maker.value }, world.call);
    expect(await made.live()).toEqual(['key', 'key of the key']);
    await world.operator.revokeKey({ apiKey: other.value }, world.call);
    expect(await made.live()).toEqual([]);
  });

  test.each<[string, { scopes?: Scope[]; expiry?: { expiresAt: Date } }]>([
    ['scopes', { scopes: ['customers:read'] }],
    ['time', { expiry: { expiresAt: new Date(Date.now() + 3_600_000) } }],
  ])('ends with it, although a key of the operator has taken %s from it', async (_, less) => {
    const [maker, other] = [await newKey([]), await newKey([])];
    const { live, ids } = await makeAll(maker);
    const request = {
      workspaceId,
      apiKey: String(ids[1]),
      callerVersion: 1,
      scopes: [],
      expiry: null,
      ...less,
    };
    const narrowed = await world.identity.updateApiKey(request, world.by(other, workspaceId));
    expect(narrowed.createdBy).toBe(maker.value);
    await world.operator.revokeKey({ apiKey: maker.value }, world.call);
    expect(await live()).toEqual([]);
  });

  test('ends with it, whatever keys that it has made do to each other', async () => {
    const maker = await newKey([]);
    const scopes: Scope[] = ['customers:read', 'keys:write'];
    const twins = await Promise.all(
      [1, 2].map(async () => {
        const request = { workspaceId, callerVersion: 1, name: 'Twin', scopes, expiresAt: null };
        return (await world.identity.createApiKey(request, world.by(maker, workspaceId))).key?.apiKey ?? '';
      }),
    );
    for (const [by = '', apiKey = ''] of [twins, twins.toReversed()]) {
      const request = { workspaceId, apiKey, callerVersion: 1, scopes, expiry: null };
      const { version } = await world.identity.getApiKey(
        { workspaceId, apiKey: by },
        world.by(root, workspaceId),
      );
      const grant = world.by({ $case: 'apiKey', value: by }, workspaceId);
      await world.identity.updateApiKey({ ...request, callerVersion: version }, grant);
    }
    await world.operator.revokeKey({ apiKey: maker.value }, world.call);
    const { keys } = await world.operator.listKeys({ workspaceId }, world.call);
    const left = keys.filter(({ apiKey, revokedAt }) => twins.includes(apiKey) && !revokedAt);
    expect(left).toEqual([]);
  });

  test('stays when its secret is replaced', async () => {
    const maker = await newKey([]);
    const { live } = await makeAll(maker);
    await world.identity.rotateSecret(
      { workspaceId, apiKey: maker.value, version: 1 },
      world.by(maker, workspaceId),
    );
    expect(await live()).toEqual(all);
  });

  test('of an invitation: its maker is the last one that has renewed it', async () => {
    const [first, second] = [await newKey([]), await newKey([])];
    const { email } = await makeAll(first);
    const invitation = { workspaceId, callerVersion: 1, email, role: 'viewer', personalData: false };
    const { code } = await world.identity.inviteMember(invitation, world.by(second, workspaceId));
    await world.operator.revokeKey({ apiKey: first.value }, world.call);
    await expect(world.begin(code)).resolves.toBeDefined();
    await world.operator.revokeKey({ apiKey: second.value }, world.call);
    await expect(world.begin(code)).rejects.toMatchObject({ type: 'invalid-link' });
    // Nor does the address join without the link.
    const signedIn = world.signIn({ email, email_verified: true, groups: [] });
    await expect(signedIn).rejects.toMatchObject({ type: 'no-membership' });
  });

  test('stays a member once it has accepted', async () => {
    const maker = await newKey([]);
    const { email } = await makeAll(maker);
    await world.signIn({ email, email_verified: true, groups: [] });
    await world.operator.revokeKey({ apiKey: maker.value }, world.call);
    const { members } = await world.identity.listMembers(
      { workspaceId, cursor: '', limit: 50 },
      world.by(root, workspaceId),
    );
    expect(members).toMatchObject([{ email, role: 'viewer' }]);
  });
});

describe('what a person has made in a workspace', () => {
  const memberOf = async (personId: string): Promise<string> => {
    const request = { workspaceId, cursor: '', limit: 50 };
    const { members } = await world.identity.listMembers(request, world.by(root, workspaceId));
    return String(members.find((one) => one.personId === personId)?.id);
  };
  const admin = async () => {
    const { personId, version } = await world.signInByLink(workspaceId, 'admin');
    const holder: Holder = { $case: 'personId', value: personId };
    return { holder, personId, made: await makeAll(holder, version) };
  };

  test.each<[string, { role?: string; personalData?: boolean }, string[]]>([
    ['gets a role that could not make it', { role: 'editor' }, []],
    ['may not see personal data any more', { personalData: false }, ['link', 'key', 'key of the key']],
    ['gets a role that can do more', { role: 'owner' }, all],
  ])('ends, if it could not make it any more, when it %s', async (_, change, left) => {
    const { personId, made } = await admin();
    const request = { workspaceId, memberId: await memberOf(personId), callerVersion: 1, ...change };
    await world.identity.updateMember(request, world.by(root, workspaceId));
    expect(await made.live()).toEqual(left);
  });

  test('ends when it is removed, and when it leaves', async () => {
    const [removed, left] = [await admin(), await admin()];
    const memberId = await memberOf(removed.personId);
    await world.identity.removeMember({ workspaceId, memberId }, world.by(root, workspaceId));
    // Another owner stays, so the person may leave.
    await world.identity.leaveWorkspace({ workspaceId }, world.by(left.holder, workspaceId));
    expect([await removed.made.live(), await left.made.live()]).toEqual([[], []]);
  });

  test('ends when the groups give less, and not when the provider does not name them', async () => {
    const sub = randomUUID();
    const { personId, version } = await world.signIn({ sub, groups: ['admins'] });
    const made = await makeAll({ $case: 'personId', value: personId }, version);
    await world.signIn({ sub });
    expect(await made.live()).toEqual(all);
    await world.signIn({ sub, groups: ['staff'] });
    expect(await made.live()).toEqual([]);
  });

  test('stays when it is signed out', async () => {
    const { personId, made } = await admin();
    await world.operator.endSessions({ personId }, world.call);
    expect(await made.live()).toEqual(all);
  });

  test('stays when it loses another workspace', async () => {
    const sub = randomUUID();
    const other = workspaceId;
    workspaceId = await world.newWorkspace();
    root = await newKey([]);
    const { personId, version } = await world.signIn({ sub, groups: ['admins'] });
    const made = await makeAll({ $case: 'personId', value: personId }, version);
    await world.identity.leaveWorkspace(
      { workspaceId: other },
      world.by({ $case: 'personId', value: personId }, other),
    );
    expect(await made.live()).toEqual(all);
  });
});
