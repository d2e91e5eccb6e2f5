import { PortalLink } from '@parley/contracts/identity/v1/identity';
import { portalLimits } from '@parley/contracts/limits';
import { fieldsOf } from '@parley/postgres/sql/fields';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { PortalLinkTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;

const fields = fieldsOf(PortalLink);
const ofLink = acrossWorkspaces('authentication: the code of a link determines its workspace');
const now = sql<Date>`now()`;

/** Inserts a link that ends after so many seconds, or at `endsAt` if that is earlier. */
export async function insertPortalLink(
  trx: Db,
  link: Omit<Insertable<PortalLinkTable>, 'createdAt' | 'expiresAt'>,
  { expiresInSeconds, endsAt }: { expiresInSeconds: number; endsAt: Date | null },
): Promise<PortalLink> {
  const expiresAt = sql<Date>`least(now() + ${expiresInSeconds}::int * interval '1 second', ${endsAt}::timestamptz)`;
  return trx
    .insertInto('portalLink')
    .values({ ...link, expiresAt })
    .returning(fields)
    .executeTakeFirstOrThrow();
}

/** Returns whether the workspace has the maximum number of links that are not over. */
export async function hasMaximum(trx: Db, workspaceId: string): Promise<boolean> {
  const last = await trx
    .selectFrom('portalLink')
    .where('workspaceId', '=', workspaceId)
    .where('expiresAt', '>', now)
    .where('revokedAt', 'is', null)
    .select('id')
    .offset(sql.lit(portalLimits.perWorkspaceMax - 1))
    .limit(sql.lit(1))
    .executeTakeFirst();
  return last !== undefined;
}

/** Newest first. `before`: only links in front of this one. */
export async function listPortalLinks(
  db: Db,
  workspaceId: string,
  before: string | null,
  limit: number,
): Promise<PortalLink[]> {
  const all = db.selectFrom('portalLink').where('workspaceId', '=', workspaceId);
  const rest = before === null ? all : all.where('id', '<', before);
  return rest.orderBy('id', 'desc').limit(sql.lit(limit)).select(fields).execute();
}

/** Revokes a link. Returns undefined without such a link, else whether it was revoked before. */
export async function revokePortalLink(
  trx: Db,
  workspaceId: string,
  id: string,
): Promise<{ wasRevoked: boolean } | undefined> {
  const link = await trx
    .selectFrom('portalLink')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select('revokedAt')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!link) return undefined;
  if (link.revokedAt) return { wasRevoked: true };
  await trx
    .updateTable('portalLink')
    .set({ revokedAt: now })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute();
  return { wasRevoked: false };
}

/**
 * Revokes the links of a maker that are not over, except links with one of the values of `personalData` that end by
 * `expiresAt`. Returns the revoked links.
 */
export async function revokeLinksOf(
  trx: Db,
  { id, workspaceId }: { id: string; workspaceId?: string },
  { personalData, expiresAt }: { personalData: readonly boolean[]; expiresAt: Date | null },
): Promise<Pick<PortalLinkTable, 'id' | 'workspaceId'>[]> {
  return trx
    .updateTable('portalLink')
    .set({ revokedAt: now })
    .where('createdBy', '=', id)
    .where(sql<boolean>`coalesce(workspace_id = ${workspaceId ?? null}::uuid, true)`)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .where(sql<boolean>`not (personal_data = any(${personalData}::boolean[])
      and coalesce(expires_at <= ${expiresAt}::timestamptz, true))`)
    .returning(['id', 'workspaceId'])
    .modifyEnd(acrossWorkspaces('a key makes links in each of its workspaces'))
    .execute();
}

/** Returns a link whose code has not been used, with its digest. */
export async function findUnusedLink(db: Db, id: string): Promise<Selectable<PortalLinkTable> | undefined> {
  return db
    .selectFrom('portalLink')
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .selectAll()
    .modifyEnd(ofLink)
    .executeTakeFirst();
}

/** Uses up the code of a link. Of concurrent calls, one returns true. */
export async function usePortalLink(trx: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('portalLink')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .modifyEnd(ofLink)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Deletes links a day after their end, with their sessions. */
export async function deleteOldPortalLinks(db: Db): Promise<void> {
  await sql`
    ${acrossWorkspaces('a purge by age')}
    delete from portal_link where expires_at < now() - interval '1 day'`.execute(db);
}
