import type { Member } from '@parley/contracts/identity/v1/identity';
import { memberLimits } from '@parley/contracts/limits';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { MemberTable, PersonTable, SignInLinkTable, Tables } from '../schema.ts';
import { isLive } from './session-store.ts';

type Db = Kysely<Tables>;

const acrossPeople = acrossWorkspaces('people belong to several workspaces');
const ofMember = acrossWorkspaces('a person is found by its membership in the workspace');

/** A member as the database has it: `role` and `origin` are the stored texts. */
export type MemberRow = Omit<Member, 'role' | 'origin'> & Pick<Selectable<MemberTable>, 'role' | 'origin'>;

/**
 * SQL for the address by which a person is known: only an address that the provider has verified, or the address of the
 * invitation whose link the person has opened.
 */
const knownEmail = sql<
  string | null
>`case when person.issuer is null then person.email else person.verified_email end`;

function membersOf(db: Db, workspaceId: string) {
  return db
    .selectFrom('member')
    .leftJoin('person', 'person.id', 'member.personId')
    .where('member.workspaceId', '=', workspaceId)
    .select([
      'member.id',
      'member.workspaceId',
      'member.personId',
      'member.role',
      'member.personalData',
      'member.origin',
      'member.createdAt',
      'member.version',
      'person.lastSeenAt',
      'person.groupsMissingSince',
    ])
    .select([
      sql<string | null>`case when person_id is null then invited_email else person.email end`.as('email'),
      sql<boolean>`coalesce(person.email = ${knownEmail}, false)`.as('isEmailVerified'),
      sql<string | null>`person.name`.as('name'),
    ])
    .modifyEnd(ofMember);
}

/** Oldest first. `after`: only members behind this one. */
export async function listMembers(
  db: Db,
  workspaceId: string,
  after: string | null,
  limit: number,
): Promise<MemberRow[]> {
  const all = membersOf(db, workspaceId);
  const rest = after === null ? all : all.where('member.id', '>', after);
  return rest.orderBy('member.id').limit(sql.lit(limit)).execute();
}

export async function findMember(db: Db, workspaceId: string, id: string): Promise<MemberRow | undefined> {
  return membersOf(db, workspaceId).where('member.id', '=', id).executeTakeFirst();
}

/** Locks the member until the end of the transaction: a sign-in can accept an invitation. */
export async function lockMember(trx: Db, workspaceId: string, id: string): Promise<MemberRow | undefined> {
  return membersOf(trx, workspaceId).where('member.id', '=', id).forNoKeyUpdate('member').executeTakeFirst();
}

/** Locks the member that a person is, until the end of the transaction. */
export async function lockMemberOfPerson(
  trx: Db,
  workspaceId: string,
  personId: string,
): Promise<MemberRow | undefined> {
  return membersOf(trx, workspaceId)
    .where('member.personId', '=', personId)
    .forNoKeyUpdate('member')
    .executeTakeFirst();
}

/** Locks the members that are known by an address, and the invitations to it, and returns them. */
export async function lockMembersByEmail(trx: Db, workspaceId: string, email: string): Promise<MemberRow[]> {
  return membersOf(trx, workspaceId)
    .forNoKeyUpdate('member')
    .where(
      sql<boolean>`lower(case when person_id is null then invited_email else ${knownEmail} end) = lower(${email})`,
    )
    .execute();
}

/** Locks a workspace for changes of its members until the end of the transaction. Returns whether it exists. */
export async function lockWorkspace(trx: Db, workspaceId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('workspace')
    .where('id', '=', workspaceId)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function countMembers(trx: Db, workspaceId: string): Promise<number> {
  const { members } = await trx
    .selectFrom('member')
    .where('workspaceId', '=', workspaceId)
    .select(sql<number>`count(*)::int`.as('members'))
    .executeTakeFirstOrThrow();
  return members;
}

/**
 * Returns whether a workspace has an owner besides a member. A person who came by a link of the operator is one only in
 * a session.
 */
export async function hasOtherOwner(trx: Db, workspaceId: string, memberId: string): Promise<boolean> {
  const owner = await trx
    .selectFrom('member')
    .where('workspaceId', '=', workspaceId)
    .where('id', '<>', memberId)
    .where('role', '=', 'owner')
    .where('personId', 'is not', null)
    .where(sql<boolean>`(origin <> 'link' or exists (
      select from person_session s where s.person_id = member.person_id and ${isLive}))`)
    .limit(sql.lit(1))
    .select('id')
    .modifyEnd(ofMember)
    .executeTakeFirst();
  return owner !== undefined;
}

export async function insertMember(
  trx: Db,
  member: Omit<Insertable<MemberTable>, 'version' | 'createdAt'>,
): Promise<void> {
  await trx.insertInto('member').values(member).execute();
}

/** Raises the version. */
export async function updateMember(
  trx: Db,
  workspaceId: string,
  id: string,
  change: Pick<Selectable<MemberTable>, 'role' | 'personalData'> & { invitedBy?: string },
): Promise<void> {
  await trx
    .updateTable('member')
    .set({ ...change, version: sql`version + 1` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** The invitation link of the member goes with it. */
export async function deleteMember(trx: Db, workspaceId: string, id: string): Promise<void> {
  await trx.deleteFrom('member').where('workspaceId', '=', workspaceId).where('id', '=', id).execute();
}

/** Locks people until the end of the transaction, in one order. Returns the people who exist. */
export async function lockPeople(
  trx: Db,
  ids: readonly string[],
): Promise<(Pick<Selectable<PersonTable>, 'id' | 'version'> & { now: Date })[]> {
  return trx
    .selectFrom('person')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .select(['id', 'version', sql<Date>`now()`.as('now')])
    .forNoKeyUpdate()
    .modifyEnd(acrossPeople)
    .execute();
}

/**
 * Raises the version of a person, so that no lease on its sessions is granted for what was read before. Returns whether
 * it is an operator.
 */
export async function raisePersonVersion(trx: Db, id: string): Promise<{ isOperator: boolean }> {
  return trx
    .updateTable('person')
    .set({ version: sql`version + 1` })
    .where('id', '=', id)
    .returning('isOperator')
    .modifyEnd(acrossPeople)
    .executeTakeFirstOrThrow();
}

/** Oldest first. */
export async function listMemberships(
  trx: Db,
  personId: string,
): Promise<Pick<Selectable<MemberTable>, 'workspaceId' | 'role' | 'personalData' | 'origin'>[]> {
  return trx
    .selectFrom('member')
    .where('personId', '=', personId)
    .orderBy('id')
    .limit(sql.lit(memberLimits.workspacesPerPersonMax))
    .select(['workspaceId', 'role', 'personalData', 'origin'])
    .modifyEnd(acrossPeople)
    .execute();
}

/** Inserts a link that is valid for so long. */
export async function insertLink(
  db: Db,
  link: Omit<Insertable<SignInLinkTable>, 'createdAt' | 'expiresAt'>,
  validSeconds: number,
): Promise<Date> {
  const { expiresAt } = await db
    .insertInto('signInLink')
    .values({ ...link, expiresAt: sql<Date>`now() + ${validSeconds}::int * interval '1 second'` })
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
  return expiresAt;
}

export async function deleteLinksOf(trx: Db, workspaceId: string, memberId: string): Promise<void> {
  await trx
    .deleteFrom('signInLink')
    .where('workspaceId', '=', workspaceId)
    .where('memberId', '=', memberId)
    .execute();
}
