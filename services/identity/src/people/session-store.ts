import type { Operator } from '@parley/contracts/identity/v1/identity';
import { memberLimits } from '@parley/contracts/limits';
import type { Role } from '@parley/contracts/roles';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SecretDigest } from '../rules/credential.ts';
import type { PersonSessionTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;

const acrossPeople = acrossWorkspaces('a person has sessions for all its workspaces');
const purge = acrossWorkspaces('a purge by age');
const ofSession = acrossWorkspaces('the caller has found the session');

export interface OwnMembership {
  workspaceId: string;
  role: Role;
  personalData: boolean;
}

export interface SessionRow extends SecretDigest {
  sessionId: string;
  personId: string;
  name: string;
  email: string | null;
  version: number;
  isOperator: boolean;
  memberships: OwnMembership[];
  /** When it ends if it is not used. */
  expiresAt: Date;
  /** Until it ends. */
  leftMs: number;
  /** Whether `seenAt` is this minute. */
  isUseRecorded: boolean;
  /** Whether it was ended. A gateway may still have cached it. */
  hasEnded: boolean;
}

const { sessionIdleSecondsMax, sessionSecondsMax, workspacesPerPersonMax } = memberLimits;

export const now = sql<Date>`now()`;

/** SQL for when a session `s` ends that was used last at `seenAt`: of a person or of the portal. */
export const endsAt = (seenAt = sql<Date>`s.seen_at`) =>
  sql<Date>`least(s.expires_at, ${seenAt} + ${sql.lit(sessionIdleSecondsMax)} * interval '1 second')`;

/** SQL for the time that is left until then, in milliseconds. */
export const leftMs = sql<number>`floor(extract(epoch from ${endsAt()} - now()) * 1000)::float8`;

/** SQL for the condition that a session `s` can be used. */
export const isLive = sql<boolean>`s.ended_at is null and ${endsAt()} > now()`;

export async function insertSession(
  db: Db,
  session: Pick<Selectable<PersonSessionTable>, 'id' | 'pepperId' | 'digest'> & { personId: string },
): Promise<Date> {
  const { expiresAt } = await db
    .insertInto('personSession')
    .values({ ...session, expiresAt: sql<Date>`now() + ${sessionSecondsMax}::int * interval '1 second'` })
    .returning('expiresAt')
    .modifyEnd(acrossPeople)
    .executeTakeFirstOrThrow();
  return expiresAt;
}

/**
 * Returns a session with its digest, also one that has ended; undefined when there is none, it has expired, or was not
 * used for too long. One statement reads all: the memberships belong to the version.
 */
export async function findSession(db: Db, sessionId: string): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    ${acrossWorkspaces('authentication: the session determines the person')}
    select s.id as session_id, s.pepper_id, s.digest, p.id as person_id, p.name, p.email, p.version, p.is_operator,
      ${endsAt(now)} as expires_at, ${leftMs} as left_ms,
      s.seen_at > now() - interval '1 minute' as is_use_recorded, s.ended_at is not null as has_ended,
      coalesce((
        select json_agg(json_build_object(
          'workspaceId', m.workspace_id, 'role', m.role, 'personalData', m.personal_data) order by m.id)
        from (select * from member where person_id = p.id order by id limit ${workspacesPerPersonMax}::int) m
      ), '[]') as memberships
    from person_session s
    join person p on p.id = s.person_id
    where s.id = ${sessionId}::uuid and ${endsAt()} > now()`.execute(reads(db));
  return rows[0];
}

/** Records that a session is used: for the session to the minute, for the person to the hour. */
export async function recordSessionUse(db: Db, { sessionId, personId }: SessionRow): Promise<void> {
  await sql`
    ${ofSession}
    with seen as (
      update person_session set seen_at = now()
      where id = ${sessionId}::uuid and seen_at < now() - interval '1 minute'
    )
    update person set last_seen_at = date_trunc('hour', now(), 'UTC')
    where id = ${personId}::uuid and (last_seen_at is null or last_seen_at < date_trunc('hour', now(), 'UTC'))`.execute(
    db,
  );
}

/** Returns whether the session had not ended before. */
export async function endSession(db: Db, sessionId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('personSession')
    .set({ endedAt: sql`now()` })
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .modifyEnd(ofSession)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns how many of the sessions could be used. */
export async function endSessionsOf(db: Db, personId: string): Promise<number> {
  const { rows } = await sql<{ wasLive: boolean }>`
    ${acrossPeople}
    update person_session s set ended_at = now()
    where person_id = ${personId}::uuid and ended_at is null
    returning ${endsAt()} > now() as was_live`.execute(db);
  return rows.filter(({ wasLive }) => wasLive).length;
}

const operatorsMax = 500;

/** The newest sign-in comes first. */
export async function listOperators(db: Db): Promise<Operator[]> {
  const { rows } = await sql<Operator>`
    ${acrossPeople}
    select p.id as person_id, p.name, p.email, p.groups_missing_since, max(s.created_at) as signed_in_at, max(s.seen_at) as seen_at,
      max(${endsAt()}) as expires_at
    from person p join person_session s on s.person_id = p.id
    where p.is_operator and ${isLive}
    group by p.id order by max(s.created_at) desc, p.id limit ${sql.lit(operatorsMax)}`.execute(scans(db));
  return rows;
}

/** Returns the ids of the sessions of a person that gateways may have cached: also sessions that ended a moment ago. */
export async function listSessionIds(db: Db, personId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('personSession')
    .where('personId', '=', personId)
    .where('expiresAt', '>', sql<Date>`now() - interval '1 minute'`)
    .where(sql<boolean>`(ended_at is null or ended_at > now() - interval '1 minute')`)
    .select('id')
    .modifyEnd(acrossPeople)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Deletes sessions and links that are over, and people without a session who are no members any more. Members of links
 * are among them: their link is used up, so they cannot return.
 */
export async function deleteOldSessions(db: Db): Promise<void> {
  await sql`
    ${purge}
    delete from person_session where expires_at < now() or ended_at < now() - interval '1 day'
      or seen_at < now() - interval '2 days'`.execute(db);
  await sql`
    ${purge}
    delete from sign_in_link where expires_at < now()`.execute(db);
  await db.transaction().execute(deleteOldPeople);
}

/** The person `p` has no session, and every membership is by a link. */
const isOver = sql`not exists (select from person_session s where s.person_id = p.id)
  and not exists (select from member m where m.person_id = p.id and m.origin <> 'link')`;

async function deleteOldPeople(trx: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    ${purge}
    select id from person p where created_at < now() - interval '1 hour' and ${isOver}
    for update skip locked`.execute(trx);
  // A statement of its own: the first one does not see a session that began while it waited for the lock of its person.
  await sql`
    ${purge}
    delete from person p where id = any(${rows.map(({ id }) => id)}::uuid[]) and ${isOver}`.execute(trx);
}
