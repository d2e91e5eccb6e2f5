import { randomUUID } from 'node:crypto';
import type { Member } from '@parley/contracts/identity/v1/identity';
import { openDatabase } from '@parley/postgres/connecting/open';
import { quietLogger } from '@parley/testing/quiet';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteOldSessions } from '../src/people/session-store.ts';
import type { Tables } from '../src/schema.ts';
import { type PeopleWorld, startPeopleWorld } from './people-world.ts';

// What identity believes of a sign-in provider, and what it does when the provider is silent.

const stack = new AsyncDisposableStack();
let world: PeopleWorld;
let workspaceId: string;
/** A workspace whose owners can be owners by a group. */
let owned: string;

beforeAll(async () => {
  // The id of a workspace is not known before: the groups name none.
  world = await startPeopleWorld(
    stack,
    'owners=owner,admins=admin,staff=viewer,shop.example=viewer,ops=operator',
  );
  owned = await world.newWorkspace();
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  workspaceId = await world.newWorkspace();
});

const roleIn = (person: { memberships: { workspaceId: string; role: string }[] }, id = workspaceId) =>
  person.memberships.find((one) => one.workspaceId === id)?.role;
const refused = { code: 'unauthenticated', type: 'invalid-sign-in' };

async function members(by: string, id = workspaceId): Promise<Member[]> {
  const grant = world.by({ $case: 'personId', value: by }, id);
  return (await world.identity.listMembers({ workspaceId: id, cursor: '', limit: 50 }, grant)).members;
}

/** Invites an address as an owner by a link. */
async function invite(email: string, id = workspaceId) {
  const { personId, version } = await world.signInByLink(id, 'owner');
  const invitation = { workspaceId: id, callerVersion: version, email, role: 'viewer', personalData: true };
  return world.identity.inviteMember(invitation, world.by({ $case: 'personId', value: personId }, id));
}

describe('the provider is asked', () => {
  const path = '/.well-known/openid-configuration';
  const reads = () => world.provider.requests.get(path) ?? 0;

  test('for its metadata once, by however many sign-ins begin, and not while it is down', async () => {
    await world.begin();
    const before = reads();
    await Promise.all(Array.from({ length: 50 }, () => world.begin()));
    world.provider.isDown = true;
    await world.begin();
    await expect(world.signIn({})).rejects.toMatchObject({ code: 'unavailable' });
    world.provider.isDown = false;
    expect(reads()).toBe(before);
  });

  test('for the userinfo only if the ID token leaves something open', async () => {
    const asked = () => world.provider.requests.get('/userinfo') ?? 0;
    const before = asked();
    await world.signIn({ email: 'full@shop.example', groups: ['staff'] });
    expect(asked()).toBe(before);
    await world.signIn({ groups: ['staff'] }, { email: 'half@shop.example' });
    await world.signIn({ email: 'half@shop.example' }, { groups: ['staff'] });
    expect(asked()).toBe(before + 2);
  });
});

describe('groups that the provider', () => {
  test.each([
    ['does not name', {}],
    ['calls null', { groups: null }],
    [
      'has elsewhere',
      { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } },
    ],
    ['has elsewhere in the ID token, and a part of here', { groups: [], _claim_names: { groups: 'src1' } }],
    ['names in another form', { groups: [{ id: 'staff' }] }],
  ])('%s change nothing, are logged, and the member shows since when', async (_, claims) => {
    const sub = randomUUID();
    const { personId } = await world.signIn({ sub, email: 'kim@shop.example', groups: ['admins', 'ops'] });
    expect((await members(personId)).find((one) => one.personId === personId)?.groupsMissingSince).toBeNull();
    const again = await world.signIn({ sub, email: 'kim@shop.example', ...claims });
    expect([again.personId, roleIn(again), again.isOperator]).toEqual([personId, 'admin', true]);
    expect(world.warnings).toContainEqual({ personId });
    const [first, second] = await Promise.all([
      members(personId),
      world.operator.listOperators({}, world.call),
    ]);
    const since = first.find((one) => one.personId === personId)?.groupsMissingSince;
    expect(since).toBeInstanceOf(Date);
    expect(second.operators.find((one) => one.personId === personId)?.groupsMissingSince).toEqual(since);
    // The first time counts, until the groups are named again.
    await world.signIn({ sub, email: 'kim@shop.example', ...claims });
    const third = await members(personId);
    expect(third.find((one) => one.personId === personId)?.groupsMissingSince).toEqual(since);
    await world.signIn({ sub, email: 'kim@shop.example', groups: 'staff' });
    const last = (await members(personId)).find((one) => one.personId === personId);
    expect([last?.role, last?.groupsMissingSince]).toEqual(['viewer', null]);
  });

  test('does not name at the first sign-in are given as the reason of its refusal', async () => {
    await expect(world.signIn({ name: 'Lea', email: 'lea@shop.example' })).rejects.toMatchObject({
      type: 'no-membership',
      message:
        'Lea is a member of no workspace, and the sign-in provider has not said which groups it is in. Ask for an invitation',
    });
  });

  test('says are none take the roles away', async () => {
    const sub = randomUUID();
    await world.signIn({ sub, groups: ['admins'] });
    await expect(world.signIn({ sub, groups: [] })).rejects.toMatchObject({ type: 'no-membership' });
  });

  test('says as one text are one group', async () => {
    expect(roleIn(await world.signIn({ groups: 'shop.example' }))).toBe('viewer');
    await expect(world.signIn({ groups: 'staff,admins' })).rejects.toMatchObject({ type: 'no-membership' });
  });

  test('takes from the last owner leave it an owner, until there is another one', async () => {
    const sub = randomUUID();
    const first = await world.signIn({ sub, groups: ['owners'] });
    expect(roleIn(first)).toBe('owner');
    for (const groups of [['staff'], []]) {
      const kept = await world.signIn({ sub, groups });
      expect([groups, roleIn(kept)]).toEqual([groups, 'owner']);
    }
    expect(world.warnings).toContainEqual({ personId: first.personId, workspaceId });
    await world.signInByLink(workspaceId, 'owner');
    const narrowed = await world.signIn({ sub, groups: ['staff'] });
    expect(roleIn(narrowed)).toBe('viewer');
    expect(roleIn(narrowed, owned)).toBe('owner');
  });

  test('takes from both of two owners at once leave one of them', async () => {
    const subs = [randomUUID(), randomUUID()];
    for (const sub of subs) await world.signIn({ sub, groups: ['owners'] });
    const ended = await Promise.all(subs.map((sub) => world.signIn({ sub, groups: ['staff'] })));
    expect(ended).toHaveLength(2);
    const [{ owners } = {}] = await world.sql.query<{ owners: number }>(
      `select count(*)::int as owners from identity.member where workspace_id = $1 and role = 'owner'`,
      [workspaceId],
    );
    expect(owners).toBe(1);
  });
});

describe('an address', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['of the ID token, which userinfo calls verified', { email: 'it@x.example' }, { email_verified: true }],
    [
      'of the ID token, when userinfo has verified another one',
      { email: 'it@x.example' },
      { email: 'other@x.example', email_verified: true },
    ],
    ['of userinfo, which the ID token calls verified', { email_verified: true }, { email: 'it@x.example' }],
    ['that only looks verified', { email: 'it@x.example', email_verified: 'true' }, {}],
    ['that has other letters in Unicode', { email: '\u0131t@x.example', email_verified: true }, {}],
    [
      'that is longer than an address',
      { email: `it@x.example${'.x'.repeat(200)}`, email_verified: true },
      {},
    ],
    ['with spaces', { email: ' it@x.example', email_verified: true }, {}],
  ])('%s accepts no invitation, and keeps nobody from being invited', async (_, idToken, userInfo) => {
    const { member } = await invite('it@x.example');
    const { personId } = await world.signIn(
      { groups: 'staff', ...idToken },
      { groups: 'staff', ...userInfo },
    );
    const [first, own] = await Promise.all([
      members(personId).then((all) => all.find(({ id }) => id === member?.id)),
      members(personId).then((all) => all.find((one) => one.personId === personId)),
    ]);
    expect([first?.personId, own?.email === 'it@x.example' && own.isEmailVerified]).toEqual([null, false]);
    // The invitation can be made again, and its owner comes.
    await invite('it@x.example');
    const owner = await world.signIn({ email: 'IT@x.example', email_verified: true, groups: [] });
    expect(roleIn(owner)).toBe('viewer');
    expect((await members(owner.personId)).find((one) => one.personId === owner.personId)).toMatchObject({
      email: 'IT@x.example',
      isEmailVerified: true,
    });
    await expect(invite('it@x.example')).rejects.toMatchObject({ type: 'member-exists' });
  });

  test('that was verified before and is not any more identifies nobody', async () => {
    const sub = randomUUID();
    await world.signIn({ sub, email: 'was@x.example', email_verified: true, groups: 'staff' });
    await expect(invite('was@x.example')).rejects.toMatchObject({ type: 'member-exists' });
    await world.signIn({ sub, email: 'was@x.example', groups: 'staff' });
    await expect(invite('was@x.example')).resolves.toMatchObject({ member: { email: 'was@x.example' } });
  });
});

describe('a sign-in is refused, and not an error of the server,', () => {
  const texts = ['a\0b', 'a\ud800', '\udc00a'];
  const claims = texts.flatMap((text) => [
    { sub: text },
    { name: text },
    { email: text },
    { preferred_username: text },
    { groups: [text] },
  ]);
  test.each(claims)('for the claim %j', async (claim) => {
    await expect(world.signIn({ groups: ['staff'], ...claim })).rejects.toMatchObject(refused);
    const { sub, ...rest } = claim as { sub?: string };
    if (sub === undefined && !('groups' in rest)) {
      await expect(world.signIn({ groups: ['staff'] }, rest)).rejects.toMatchObject(refused);
    }
  });

  test.each([
    ['of a long subject', { sub: 'x'.repeat(256) }],
    ['of an empty subject', { sub: '' }],
    ['of another client', { azp: 'another' }],
    ['of a list of clients', { azp: ['parley'] }],
    ['for another client', { aud: 'another' }],
    ['for other clients, too', { aud: ['parley', 'another'] }],
    [
      'of the future',
      { iat: Math.floor(Date.now() / 1_000) + 3_600, exp: Math.floor(Date.now() / 1_000) + 7_200 },
    ],
    ['that will be valid', { nbf: Math.floor(Date.now() / 1_000) + 3_600 }],
    ['that was valid', { exp: Math.floor(Date.now() / 1_000) - 60 }],
    ['with another nonce', { nonce: 'another' }],
  ])('for an ID token %s', async (_, claim) => {
    await expect(world.signIn({ groups: ['staff'], ...claim })).rejects.toMatchObject(refused);
  });

  test('but not for its own client, and a clock that is seconds ahead', async () => {
    const iat = Math.floor(Date.now() / 1_000) + 10;
    await expect(world.signIn({ groups: ['staff'], azp: 'parley', iat })).resolves.toMatchObject({});
  });

  test('and a name is on one line', async () => {
    const { name } = await world.signIn({ groups: ['staff'], name: ' Ada\r\n\u001b[31m Lovelace ' });
    expect(name).toBe('Ada [31m Lovelace');
  });
});

test('an invitation of a member, whose address was not verified then, ends when it is', async () => {
  const [sub, email] = [randomUUID(), `${randomUUID()}@shop.example`];
  const { personId } = await world.signIn({ sub, email, groups: ['admins'] });
  await invite(email.toUpperCase());
  const entries = async () => {
    const all = await members(personId);
    return all.filter((one) => one.email?.toLowerCase() === email).map((one) => one.personId ?? null);
  };
  expect(await entries()).toEqual([personId, null]);
  const again = { sub, email, groups: ['admins'] };
  await world.signIn({ ...again, email_verified: false });
  expect(await entries()).toEqual([personId, null]);
  await world.signIn({ ...again, email_verified: true });
  expect(await entries()).toEqual([personId]);
});

test('a person who signs in while old people are deleted stays', async () => {
  const people = 3_000;
  await world.sql.query(
    `insert into identity.person (id, issuer, subject, name, created_at)
     select gen_random_uuid(), 'of-a-test', 'subject-' || n, 'Old', now() - interval '2 hours'
     from generate_series(1, $1::int) n`,
    [people],
  );
  await using database = openDatabase<Tables>({ url: () => world.database.url, logger: quietLogger });
  // As sign-ins of the people from the first to the last, while the deletion goes on.
  await using session = await openSqlConnection(world.database.adminUrl);
  let purges = 0;
  const ended = new AbortController();
  const purging = (async () => {
    while (!ended.signal.aborted) {
      await deleteOldSessions(database.db);
      purges += 1;
    }
  })();
  const signedIn: string[] = [];
  for (let n = 1; n <= people; n += 10) {
    const rows = await session.query<{ id: string }>(
      `with signed_in as (
         insert into identity.person (id, issuer, subject, name)
         select gen_random_uuid(), 'of-a-test', 'subject-' || n, 'New' from generate_series($1::int, $1 + 9) n
         on conflict (issuer, subject) do update set name = excluded.name returning id
       )
       insert into identity.person_session (id, person_id, pepper_id, digest, expires_at)
       select gen_random_uuid(), id, 'p1', '', now() + interval '1 hour' from signed_in returning person_id as id`,
      [n],
    );
    signedIn.push(...rows.map(({ id }) => id));
  }
  ended.abort();
  await purging;
  expect(purges).toBeGreaterThan(0);
  const left = await world.sql.query(`select id from identity.person where id = any($1::uuid[])`, [signedIn]);
  expect(left).toHaveLength(people);
});
