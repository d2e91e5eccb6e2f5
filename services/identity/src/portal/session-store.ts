import { reads } from '@parley/postgres/sql/dialect';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { endsAt, leftMs, now } from '../people/session-store.ts';
import type { SecretDigest } from '../rules/credential.ts';
import type { PersonSessionTable, PortalLinkTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;

const ofSession = acrossWorkspaces('the caller has found the session');

export interface PortalSessionRow
  extends SecretDigest,
    Pick<Selectable<PortalLinkTable>, 'name' | 'workspaceId' | 'webhookIds' | 'personalData'> {
  sessionId: string;
  portalLinkId: string;
  /** When it ends if it is not used. */
  expiresAt: Date;
  /** Until it ends. */
  leftMs: number;
  /** Whether `seenAt` is this minute. */
  isUseRecorded: boolean;
  /** Whether it has ended, or its link was revoked. */
  hasEnded: boolean;
}

export async function insertPortalSession(
  trx: Db,
  session: Required<
    Pick<Insertable<PersonSessionTable>, 'id' | 'portalLinkId' | 'pepperId' | 'digest' | 'expiresAt'>
  >,
): Promise<void> {
  await trx
    .insertInto('personSession')
    .values({ ...session, personId: null })
    .modifyEnd(ofSession)
    .execute();
}

/**
 * Returns a session of the portal with its digest, also one that has ended; undefined when there is none, it has
 * expired, or was not used for too long.
 */
export async function findPortalSession(db: Db, sessionId: string): Promise<PortalSessionRow | undefined> {
  const { rows } = await sql<PortalSessionRow>`
    ${acrossWorkspaces('authentication: the session determines the workspace')}
    select s.id as session_id, s.pepper_id, s.digest, l.id as portal_link_id, l.name, l.workspace_id, l.webhook_ids,
      l.personal_data, ${endsAt(now)} as expires_at, ${leftMs} as left_ms,
      s.seen_at > now() - interval '1 minute' as is_use_recorded,
      s.ended_at is not null or l.revoked_at is not null as has_ended
    from person_session s
    join portal_link l on l.id = s.portal_link_id
    where s.id = ${sessionId}::uuid and ${endsAt()} > now()`.execute(reads(db));
  return rows[0];
}

/** `seenAt` is exact to the minute. */
export async function recordPortalUse(db: Db, sessionId: string): Promise<void> {
  await sql`
    ${ofSession}
    update person_session set seen_at = now()
    where id = ${sessionId}::uuid and seen_at < now() - interval '1 minute'`.execute(db);
}

/** Ends the session of a link, if it has one, and returns its id. */
export async function endSessionOfLink(trx: Db, portalLinkId: string): Promise<string | undefined> {
  const session = await trx
    .updateTable('personSession')
    .set({ endedAt: sql`coalesce(ended_at, now())` })
    .where('portalLinkId', '=', portalLinkId)
    .returning('id')
    .modifyEnd(ofSession)
    .executeTakeFirst();
  return session?.id;
}
