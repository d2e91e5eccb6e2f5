import { Workspace } from '@parley/contracts/identity/v1/identity';
import { fieldsOf } from '@parley/postgres/sql/fields';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { scans } from '@parley/postgres/sql/dialect';
import { type Kysely, type Selectable, sql } from 'kysely';
import {
  type KeyLimits,
  limitedPepperId,
  pepperIdOf,
  type SecretDigest,
  storedPepperId,
} from '../rules/credential.ts';
import type { ApiKeyTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;

type KeyOwner = Pick<Selectable<ApiKeyTable>, 'apiKey' | 'homeWorkspaceId' | 'workspaceIds'>;

interface KeyRow
  extends KeyOwner,
    SecretDigest,
    Pick<Selectable<ApiKeyTable>, 'scopes' | 'version' | 'name' | 'expiresAt'> {
  /** Until it expires. Null: it does not expire. */
  leftMs: number | null;
  /** Whether `lastUsedAt` is this hour. */
  isUseRecorded: boolean;
  /** A gateway may still have cached it. */
  isRevoked: boolean;
}

const workspaceFields = fieldsOf(Workspace);

export async function insertWorkspace(db: Db, workspace: Workspace): Promise<Workspace> {
  return db.insertInto('workspace').values(workspace).returning(workspaceFields).executeTakeFirstOrThrow();
}

export async function findWorkspace(db: Db, id: string): Promise<Workspace | undefined> {
  return db.selectFrom('workspace').where('id', '=', id).select(workspaceFields).executeTakeFirst();
}

/** Returns all workspaces, oldest first. */
export async function listWorkspaces(db: Db): Promise<Workspace[]> {
  return scans(db)
    .selectFrom('workspace')
    .orderBy('id')
    .select(workspaceFields)
    .modifyEnd(acrossWorkspaces('the operator lists workspaces'))
    .execute();
}

/** Undefined when there is no such workspace. */
export async function replaceDomains(
  trx: Db,
  id: string,
  allowedDomains: string[],
): Promise<{ before: Pick<Workspace, 'allowedDomains'>; after: Workspace } | undefined> {
  const before = await trx
    .selectFrom('workspace')
    .where('id', '=', id)
    .select('allowedDomains')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!before) return undefined;
  const after = await trx
    .updateTable('workspace')
    .set({ allowedDomains })
    .where('id', '=', id)
    .returning(workspaceFields)
    .executeTakeFirstOrThrow();
  return { before, after };
}

/** Returns the workspaces of the ids that exist, oldest first. */
export async function findWorkspaces(db: Db, ids: readonly string[]): Promise<Workspace[]> {
  return db
    .selectFrom('workspace')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .select(workspaceFields)
    .execute();
}

/** Inserts a key. Returns false, without a key, when a workspace does not exist. `workspaceIds` must be distinct. */
export async function insertKey(
  db: Db,
  key: KeyOwner & KeyLimits & { name: string },
  { pepperId, digest }: SecretDigest,
): Promise<boolean> {
  const { apiKey, homeWorkspaceId, workspaceIds, name, scopes, expiresAt } = key;
  const { numAffectedRows } = await sql`
    insert into api_key (api_key, home_workspace_id, workspace_ids, pepper_id, digest, name, scopes, expires_at)
    select ${apiKey}, ${homeWorkspaceId}::uuid, ${workspaceIds}::uuid[], ${storedPepperId(pepperId, key)}, ${digest},
      ${name}, ${scopes}::text[], ${expiresAt}::timestamptz
    where (select count(*) from workspace where id = any(${workspaceIds}::uuid[]))
      = cardinality(${workspaceIds}::uuid[])`.execute(db);
  return numAffectedRows === 1n;
}

/** Returns the key with its digest, also if it is revoked; undefined when there is none, or it has expired. */
export async function findKey(db: Db, apiKey: string): Promise<KeyRow | undefined> {
  const row = await db
    .selectFrom('apiKey')
    .where('apiKey', '=', apiKey)
    .where(hasNotExpired)
    .select(['apiKey', 'homeWorkspaceId', 'workspaceIds', 'pepperId', 'digest', 'scopes', 'version'])
    .select(['name', 'expiresAt'])
    .select([
      sql<number | null>`floor(extract(epoch from expires_at - now()) * 1000)::float8`.as('leftMs'),
      sql<boolean>`coalesce(last_used_at >= ${thisHour}, false)`.as('isUseRecorded'),
      sql<boolean>`revoked_at is not null`.as('isRevoked'),
    ])
    .modifyEnd(acrossWorkspaces('authentication: the key determines the workspaces'))
    .executeTakeFirst();
  return row && { ...row, pepperId: pepperIdOf(row.pepperId) };
}

/** Records that a key is used, to the hour. Concurrent calls write it once. */
export async function recordUse(db: Db, { apiKey, homeWorkspaceId }: KeyOwner): Promise<void> {
  await db
    .updateTable('apiKey')
    .set({ lastUsedAt: thisHour })
    .where('apiKey', '=', apiKey)
    .where('homeWorkspaceId', '=', homeWorkspaceId)
    .where(sql<boolean>`(last_used_at is null or last_used_at < ${thisHour})`)
    .execute();
}

const hasNotExpired = sql<boolean>`(expires_at is null or expires_at > now())`;
const thisHour = sql<Date>`date_trunc('hour', now(), 'UTC')`;
// As `storedPepperId` decides.
const isLimited = sql<boolean>`(scopes is not null or expires_at is not null)`;

/**
 * Replaces the digest of a key's secret. Returns false when no live key of that name and version has its home in the
 * workspace: one of concurrent callers wins.
 */
export async function replaceDigest(
  db: Db,
  workspaceId: string,
  { apiKey, version }: Pick<KeyRow, 'apiKey' | 'version'>,
  { pepperId, digest }: SecretDigest,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('apiKey')
    .set({
      pepperId: sql`case when ${isLimited} then ${limitedPepperId(pepperId)} else ${pepperId} end`,
      digest,
      rotatedAt: sql`now()`,
      version: sql`version + 1`,
    })
    .where('apiKey', '=', apiKey)
    .where('homeWorkspaceId', '=', workspaceId)
    .where('version', '=', version)
    .where('revokedAt', 'is', null)
    .where(hasNotExpired)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
