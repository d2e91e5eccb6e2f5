import type { Role } from '@parley/contracts/roles';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { tableOf } from '@parley/postgres/sql/arrays';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { MemberTable, PersonTable, SignInLinkTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;

const acrossPeople = acrossWorkspaces('people belong to several workspaces');
const ofLink = acrossWorkspaces('authentication: the code of a link determines its workspace');

/** Returns a link that is valid, with its digest. */
export async function findLink(db: Db, id: string): Promise<Selectable<SignInLinkTable> | undefined> {
  return db
    .selectFrom('signInLink')
    .where('id', '=', id)
    .where('expiresAt', '>', sql<Date>`now()`)
    .selectAll()
    .modifyEnd(ofLink)
    .executeTakeFirst();
}

/** Deletes a link that is valid. Of concurrent calls, one returns true. */
export async function useLink(trx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('signInLink')
    .where('id', '=', id)
    .where('expiresAt', '>', sql<Date>`now()`)
    .modifyEnd(ofLink)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export async function insertPerson(
  trx: Db,
  person: Pick<Selectable<PersonTable>, 'id' | 'name' | 'email'> & { isOperator?: boolean },
): Promise<void> {
  await trx
    .insertInto('person')
    .values({ ...person, issuer: null, subject: null })
    .modifyEnd(acrossPeople)
    .execute();
}

interface SignedInPerson
  extends Pick<Selectable<PersonTable>, 'id' | 'issuer' | 'subject' | 'name' | 'email' | 'verifiedEmail'> {
  /** Whether the provider should have named the groups, and has not. */
  lacksGroups: boolean;
}

/** Inserts a person of the provider, or updates it. Locks it. Returns its id, and whether it is an operator. */
export async function upsertPerson(
  trx: Db,
  { lacksGroups, id, issuer, subject, ...said }: SignedInPerson,
): Promise<Pick<Selectable<PersonTable>, 'id' | 'isOperator'>> {
  const since = lacksGroups ? sql<Date>`coalesce(person.groups_missing_since, now())` : null;
  return trx
    .insertInto('person')
    .values({ id, issuer, subject, ...said, groupsMissingSince: lacksGroups ? sql<Date>`now()` : null })
    .onConflict((conflict) =>
      conflict.columns(['issuer', 'subject']).doUpdateSet({ ...said, groupsMissingSince: since }),
    )
    .returning(['id', 'isOperator'])
    .modifyEnd(acrossPeople)
    .executeTakeFirstOrThrow();
}

/** Makes a person an operator, or no operator any more. Returns whether that has changed something. */
export async function setOperator(trx: Db, personId: string, isOperator: boolean): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('person')
    .set({ isOperator })
    .where('id', '=', personId)
    .where('isOperator', '<>', isOperator)
    .modifyEnd(acrossPeople)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type MembershipRow = Pick<
  Selectable<MemberTable>,
  'id' | 'workspaceId' | 'personId' | 'role' | 'personalData'
>;

export interface MembershipChanges {
  joined: MembershipRow[];
  changed: MembershipRow[];
  removed: MembershipRow[];
}

const membership = sql`m.id, m.workspace_id, m.person_id, m.role, m.personal_data`;

/** Gives an invitation to a person. Returns nothing if there is no such invitation, or the person is a member. */
export async function acceptInvitation(
  trx: Db,
  memberId: string,
  personId: string,
): Promise<MembershipRow[]> {
  return acceptWhere(trx, personId, sql`m.id = ${memberId}::uuid and m.person_id is null`, ofLink);
}

async function acceptWhere(
  trx: Db,
  personId: string,
  isAccepted: RawBuilder<unknown>,
  reason: RawBuilder<unknown>,
): Promise<MembershipRow[]> {
  const { rows } = await sql<MembershipRow>`
    ${reason}
    update member m set person_id = ${personId}::uuid, version = version + 1
    where ${isAccepted} and not exists (${membershipBeside(personId)})
    returning ${membership}`.execute(trx);
  return rows;
}

/** A membership of the person in the workspace of `m`. */
const membershipBeside = (personId: string) => sql`
  select from member o where o.workspace_id = m.workspace_id and o.person_id = ${personId}::uuid`;

/** Only the case of ASCII letters may differ: Unicode has other letters that become these. */
const isInvitationTo = (email: string) => sql<boolean>`lower(m.invited_email) = lower(${email})
  and lower(m.invited_email collate "C") = lower(${email} collate "C") and m.person_id is null`;

/** Gives a person all invitations to an address, except in workspaces whose member the person is. */
export async function acceptInvitationsTo(
  trx: Db,
  email: string,
  personId: string,
): Promise<MembershipRow[]> {
  return acceptWhere(trx, personId, isInvitationTo(email), acrossPeople);
}

/**
 * Deletes the invitations to an address of a person in the workspaces whose member the person is: they were made while
 * the address of the member was not known to be verified.
 */
export async function deleteInvitationsOfMember(
  trx: Db,
  email: string,
  personId: string,
): Promise<MembershipRow[]> {
  const { rows } = await sql<MembershipRow>`
    ${acrossPeople}
    delete from member m
    where ${isInvitationTo(email)} and exists (${membershipBeside(personId)})
    returning ${membership}`.execute(trx);
  return rows;
}

export async function listWorkspaceIds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('workspace')
    .orderBy('id')
    .select('id')
    .modifyEnd(acrossWorkspaces('a group can have a role in all workspaces'))
    .execute();
  return rows.map(({ id }) => id);
}

/** The role that groups give in a workspace, with an id for a new member. */
export interface GroupMember {
  id: string;
  workspaceId: string;
  role: Role;
}

/**
 * Returns where a person is an owner by a group and `members` gives less, and locks these workspaces for changes of
 * their members.
 */
export async function lockWorkspacesLosingOwner(
  trx: Db,
  { issuer, subject }: { issuer: string; subject: string },
  members: readonly GroupMember[],
): Promise<{ workspaceId: string; memberId: string }[]> {
  const ownerIn = members.filter(({ role }) => role === 'owner').map(({ workspaceId }) => workspaceId);
  const { rows } = await sql<{ workspaceId: string; memberId: string }>`
    ${acrossPeople}
    select w.id as workspace_id, m.id as member_id
    from person p
    join member m on m.person_id = p.id and m.origin = 'group' and m.role = 'owner'
    join workspace w on w.id = m.workspace_id
    where p.issuer = ${issuer} and p.subject = ${subject} and w.id <> all(${ownerIn}::uuid[])
    order by w.id
    for no key update of w`.execute(trx);
  return rows;
}

/** Sets the roles of a person that come from groups. An owner stays an owner, except in the workspaces of `mayLose`. */
export async function syncGroupMembers(
  trx: Db,
  personId: string,
  members: readonly GroupMember[],
  mayLose: readonly string[],
): Promise<MembershipChanges> {
  const workspaceIds = members.map(({ workspaceId }) => workspaceId);
  const { rows: removed } = await sql<MembershipRow>`
    ${acrossPeople}
    delete from member m
    where person_id = ${personId}::uuid and origin = 'group' and workspace_id <> all(${workspaceIds}::uuid[])
      and (role <> 'owner' or workspace_id = any(${mayLose}::uuid[]))
    returning ${membership}`.execute(trx);
  const { rows: given } = await sql<MembershipRow>`
    ${acrossPeople}
    insert into member as m (id, workspace_id, person_id, role, personal_data, origin)
    select new.id, new.workspace_id, ${personId}::uuid, new.role, true, 'group'
    from ${tableOf('new', members, {
      id: ['uuid', ({ id }) => id],
      workspaceId: ['uuid', ({ workspaceId }) => workspaceId],
      role: ['text', ({ role }) => role],
    })}
    on conflict (workspace_id, person_id) do update set role = excluded.role, version = m.version + 1
      where m.origin = 'group' and m.role <> excluded.role
        and (m.role <> 'owner' or m.workspace_id = any(${mayLose}::uuid[]))
    returning ${membership}`.execute(trx);
  const isNew = ({ id }: MembershipRow): boolean => members.some((member) => member.id === id);
  return { joined: given.filter(isNew), changed: given.filter((row) => !isNew(row)), removed };
}
