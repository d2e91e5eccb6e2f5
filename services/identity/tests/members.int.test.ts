import { randomUUID } from 'node:crypto';
import type { InviteMemberRequest, Member } from '@parley/contracts/identity/v1/identity';
import type { Role } from '@parley/contracts/roles';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Holder, type PeopleWorld, startPeopleWorld } from './people-world.ts';

// Members of a workspace: who invites, changes and removes whom, and that an owner stays.

const stack = new AsyncDisposableStack();
let world: PeopleWorld;
let workspaceId: string;
/** A key without limits of the workspace, which counts as an owner. */
let key: Holder;

beforeAll(async () => {
  world = await startPeopleWorld(stack, 'admins=admin');
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  workspaceId = await world.newWorkspace();
  key = await newKey();
});

async function newKey(scopes: string[] = []): Promise<Holder> {
  const request = { workspaceId, accessIds: [], scopes, expiresAt: null };
  return { $case: 'apiKey', value: (await world.operator.createKey(request, world.call)).apiKey };
}

/** A person that has signed in by a link of the operator, and its member. */
async function enter(role: Role) {
  const { personId, version } = await world.signInByLink(workspaceId, role);
  const holder: Holder = { $case: 'personId', value: personId };
  const found = (await list()).members.find((one) => one.personId === personId);
  if (!found) throw new Error('the person is no member');
  return { holder, version, personId, memberId: found.id };
}

/** The caller of a key: a new one has version 1. */
const byKey = (holder: Holder) => ({ holder, version: 1 });
type By = Pick<Awaited<ReturnType<typeof enter>>, 'holder' | 'version'>;

const as = (holder: Holder) => world.by(holder, workspaceId);
const list = (cursor = '', limit = 50) => world.identity.listMembers({ workspaceId, cursor, limit }, as(key));
const get = (memberId: string): Promise<Member> =>
  world.identity.getMember({ workspaceId, memberId }, as(key));
const invite = (more: Partial<InviteMemberRequest>, { holder, version }: By = byKey(key)) =>
  world.identity.inviteMember(
    {
      workspaceId,
      callerVersion: version,
      email: 'fay@shop.example',
      role: 'viewer',
      personalData: true,
      ...more,
    },
    as(holder),
  );
const change = (memberId: string, to: object, { holder, version }: By = byKey(key)) =>
  world.identity.updateMember({ workspaceId, memberId, callerVersion: version, ...to }, as(holder));
const remove = (memberId: string, { holder }: Pick<By, 'holder'> = { holder: key }, ifVersion?: number) =>
  world.identity.removeMember({ workspaceId, memberId, ...(ifVersion && { ifVersion }) }, as(holder));
const leave = (holder: Holder) => world.identity.leaveWorkspace({ workspaceId }, as(holder));
const sessionOf = async (code: string) => {
  const { begun, code: answer, nonce } = await world.begin(code);
  world.provider.answers.set(answer, { idToken: { sub: randomUUID(), nonce, name: 'Fay' }, userInfo: {} });
  return world.identity.completeSignIn(begun, world.call);
};

const ownerOnly = { code: 'permission_denied', type: 'owner-only' };
const missingScope = { code: 'permission_denied', type: 'missing-scope' };
const lastOwner = { code: 'failed_precondition', type: 'last-owner' };
const invalidLink = { code: 'unauthenticated', type: 'invalid-link' };
const notFound = { code: 'not_found' };

describe('an invitation', () => {
  test('is a member without a person until its link is used, which is valid once', async () => {
    const { member, code } = await invite({ role: 'editor', personalData: false });
    expect(member).toMatchObject({
      email: 'fay@shop.example',
      personId: null,
      role: 'editor',
      personalData: false,
      origin: 'invitation',
    });
    expect(await get(String(member?.id))).toEqual(member);
    const { joinedWorkspaceIds } = await sessionOf(code);
    expect(joinedWorkspaceIds).toEqual([workspaceId]);
    expect(await get(String(member?.id))).toMatchObject({ name: 'Fay', role: 'editor', personalData: false });
    await expect(world.begin(code)).rejects.toMatchObject(invalidLink);
  });

  test('that is made again has the new role, and only its newest link', async () => {
    const first = await invite({ role: 'editor' });
    const second = await invite({ email: 'FAY@shop.example', role: 'viewer' });
    expect(second.member).toMatchObject({ id: first.member?.id, role: 'viewer' });
    await expect(sessionOf(first.code)).rejects.toMatchObject(invalidLink);
    await sessionOf(second.code);
    expect((await list()).members).toMatchObject([{ id: first.member?.id, role: 'viewer' }]);
  });

  test('ends after a week, and when it is removed', async () => {
    const [old, removed] = [await invite({}), await invite({ email: 'gil@shop.example' })];
    const back = `created_at - interval '7 days 1 second', expires_at = expires_at - interval '7 days 1 second'`;
    await world.sql.query(`update identity.sign_in_link set created_at = ${back} where member_id = $1`, [
      old.member?.id,
    ]);
    await remove(String(removed.member?.id));
    for (const { code } of [old, removed]) await expect(world.begin(code)).rejects.toMatchObject(invalidLink);
  });

  test('of an unknown role or a wrong address is rejected', async () => {
    const faults = (pointer: string) => ({ code: 'invalid_argument', faults: [{ pointer }] });
    await expect(invite({ role: 'king' })).rejects.toMatchObject(faults('/role'));
    for (const email of ['', 'fay', `${'x'.repeat(400)}@shop.example`]) {
      await expect(invite({ email })).rejects.toMatchObject(faults('/email'));
    }
    expect((await list()).members).toEqual([]);
  });

  test('of many at once for one address makes one member', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => invite({})));
    expect(new Set(made.map(({ member }) => member?.id)).size).toBe(1);
    const codes = await Promise.allSettled(made.map(({ code }) => world.begin(code)));
    expect(codes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a member', () => {
  test('is found in its workspace only, and in pages of all members, each once', async () => {
    const { memberId } = await enter('owner');
    const ids = [memberId, (await enter('admin')).memberId, (await enter('viewer')).memberId];
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(cursor, 1);
      seen.push(...page.members.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(seen.toSorted()).toEqual(ids.toSorted());
    workspaceId = await world.newWorkspace();
    key = await newKey();
    await expect(get(memberId)).rejects.toMatchObject(notFound);
    await expect(get(randomUUID())).rejects.toMatchObject(notFound);
    await expect(change(memberId, { role: 'viewer' })).rejects.toMatchObject(notFound);
    await expect(remove(memberId)).rejects.toMatchObject(notFound);
  });

  test('is given, changed and removed by those who can do as much, and an owner by owners', async () => {
    const [owner, admin, viewer] = [await enter('owner'), await enter('admin'), await enter('viewer')];
    await expect(invite({ role: 'owner' }, admin)).rejects.toMatchObject(ownerOnly);
    await expect(change(viewer.memberId, { role: 'owner' }, admin)).rejects.toMatchObject(ownerOnly);
    await expect(change(owner.memberId, { role: 'viewer' }, admin)).rejects.toMatchObject(ownerOnly);
    await expect(remove(owner.memberId, admin)).rejects.toMatchObject(ownerOnly);
    await expect(invite({}, viewer)).rejects.toMatchObject(missingScope);
    await expect(remove(viewer.memberId, viewer)).rejects.toMatchObject(missingScope);
    const weak = byKey(await newKey(['workspace:read', 'workspace:write']));
    await expect(change(viewer.memberId, { role: 'admin' }, weak)).rejects.toMatchObject(missingScope);
    await expect(remove(viewer.memberId, weak)).rejects.toMatchObject(missingScope);
    await expect(change(viewer.memberId, { role: 'editor' }, admin)).resolves.toMatchObject({
      role: 'editor',
    });
    await expect(change(admin.memberId, { role: 'owner' }, owner)).resolves.toMatchObject({ role: 'owner' });
  });

  test('is changed only in the version that was read, by a caller in the version that was read', async () => {
    const { memberId } = await enter('viewer');
    const { version } = await get(memberId);
    const stale = { role: 'admin', ifVersion: version };
    await change(memberId, { role: 'editor', ifVersion: version });
    await expect(change(memberId, stale)).rejects.toMatchObject({ code: 'aborted' });
    await expect(remove(memberId, { holder: key }, version)).rejects.toMatchObject({ code: 'aborted' });
    const outdated = { holder: key, version: 2 };
    await expect(change(memberId, { role: 'admin' }, outdated)).rejects.toMatchObject({ type: 'lost-race' });
    expect(await get(memberId)).toMatchObject({ role: 'editor' });
  });

  test('whose role is of a group keeps it, and may be kept from personal data', async () => {
    const { personId } = await world.signIn({ groups: ['admins'] });
    const own = (await list()).members.find((one) => one.personId === personId);
    const memberId = String(own?.id);
    await expect(change(memberId, { role: 'viewer' })).rejects.toMatchObject({ type: 'role-of-group' });
    await expect(change(memberId, { personalData: false })).resolves.toMatchObject({
      role: 'admin',
      personalData: false,
    });
  });

  test('that is changed or removed has its new rights in its sessions at once, and its caller in the audit log', async () => {
    const [owner, staying] = [await enter('owner'), await enter('admin')];
    const { code } = await world.operator.createConsoleLink(
      { workspaceId, role: 'admin', name: 'Kim' },
      world.call,
    );
    const token = (await world.identity.openSignInLink({ code }, world.call)).session?.token ?? '';
    const read = () => world.identity.authenticateSession({ token, holder: '' }, world.call);
    const { personId, version } = await read();
    const memberId = String((await list()).members.find((one) => one.personId === personId)?.id);
    await change(memberId, { role: 'viewer' }, owner);
    const narrowed = await read();
    expect(narrowed.memberships).toMatchObject([{ workspaceId, role: 'viewer' }]);
    expect(narrowed.version).toBeGreaterThan(version);
    await remove(memberId, owner);
    await expect(read()).rejects.toMatchObject({ code: 'unauthenticated' });
    const recorded = await world.sql.query<{ action: string; actor: string }>(
      `select action, actor_id as actor from identity.audit_log
       where workspace_id = $1 and targets->0->>'id' = $2 and action like 'member.%' order by id`,
      [workspaceId, memberId],
    );
    expect(recorded.slice(-2)).toEqual([
      { action: 'member.updated', actor: owner.personId },
      { action: 'member.removed', actor: owner.personId },
    ]);
    expect(await get(staying.memberId)).toMatchObject({ role: 'admin' });
  });
});

describe('the last owner', () => {
  test('cannot be removed, changed or leave, by itself or by a key, and others can', async () => {
    const [owner, viewer] = [await enter('owner'), await enter('viewer')];
    await expect(remove(owner.memberId, owner)).rejects.toMatchObject(lastOwner);
    await expect(remove(owner.memberId)).rejects.toMatchObject(lastOwner);
    await expect(change(owner.memberId, { role: 'admin' }, owner)).rejects.toMatchObject(lastOwner);
    await expect(leave(owner.holder)).rejects.toMatchObject(lastOwner);
    await leave(viewer.holder);
    await leave(viewer.holder);
    expect((await list()).members.map(({ id }) => id)).toEqual([owner.memberId]);
  });

  test('is not replaced by an invitation', async () => {
    const owner = await enter('owner');
    await invite({ role: 'owner' });
    await expect(leave(owner.holder)).rejects.toMatchObject(lastOwner);
  });

  test.each<[string, (one: Awaited<ReturnType<typeof enter>>) => Promise<unknown>]>([
    ['leave', ({ holder }) => leave(holder)],
    ['are removed', ({ memberId }) => remove(memberId)],
    ['become admins', ({ memberId }) => change(memberId, { role: 'admin' })],
  ])('stays of all owners who %s at once', async (_, go) => {
    const owners = [await enter('owner'), await enter('owner'), await enter('owner')];
    const ended = await Promise.allSettled(owners.map(go));
    const refused = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toMatchObject([lastOwner]);
    const left = (await list()).members.filter(({ role }) => role === 'owner');
    expect(left).toHaveLength(1);
  });

  test('leaves by the grant of a person only', async () => {
    await enter('owner');
    await expect(leave(key)).rejects.toMatchObject({ code: 'permission_denied' });
  });
});

describe('the operator', () => {
  test('ends all sessions of a person, and says how many', async () => {
    const { code } = await world.operator.createConsoleLink(
      { workspaceId, role: 'owner', name: 'Ada' },
      world.call,
    );
    const { session } = await world.identity.openSignInLink({ code }, world.call);
    const token = session?.token ?? '';
    const { personId } = await world.identity.authenticateSession({ token, holder: '' }, world.call);
    expect(await world.operator.endSessions({ personId }, world.call)).toEqual({ ended: 1 });
    expect(await world.operator.endSessions({ personId }, world.call)).toEqual({ ended: 0 });
    await expect(world.identity.authenticateSession({ token, holder: '' }, world.call)).rejects.toMatchObject(
      { code: 'unauthenticated' },
    );
    for (const unknown of [randomUUID(), 'nobody']) {
      await expect(world.operator.endSessions({ personId: unknown }, world.call)).rejects.toMatchObject(
        notFound,
      );
    }
  });

  test('signs in by a link of its own, without a workspace, and is listed until it has signed out', async () => {
    const { code } = await world.operator.createConsoleLink(
      { workspaceId: '', role: '', name: 'Ops', isOperator: true },
      world.call,
    );
    const { session } = await world.identity.openSignInLink({ code }, world.call);
    const token = session?.token ?? '';
    const signedIn = await world.identity.authenticateSession({ token, holder: '' }, world.call);
    expect(signedIn).toMatchObject({ isOperator: true, memberships: [] });
    const listed = async () =>
      (await world.operator.listOperators({}, world.call)).operators.map(({ personId }) => personId);
    expect(await listed()).toContain(signedIn.personId);
    await world.identity.endSession({ token }, world.call);
    expect(await listed()).not.toContain(signedIn.personId);
    await expect(world.identity.openSignInLink({ code }, world.call)).rejects.toMatchObject(invalidLink);
  });

  test('makes no link for an unknown role, a wrong name or a workspace that does not exist', async () => {
    const make = (wrong: object) =>
      world.operator.createConsoleLink({ workspaceId, role: 'owner', name: 'Ada', ...wrong }, world.call);
    await expect(make({ role: 'king', name: '' })).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(make({ workspaceId: randomUUID() })).rejects.toMatchObject(notFound);
    await expect(make({ workspaceId: '', name: '', isOperator: true })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});
