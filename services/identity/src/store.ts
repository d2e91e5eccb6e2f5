import { ApiKey, type Principal, Workspace } from '@parley/contracts/identity/v1/identity';
import { fieldsOf } from '@parley/postgres/fields';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SecretDigest } from './rules/credential.ts';
import type { ApiKeyTable, Tables } from './schema.ts';

type Db = Kysely<Tables>;

type KeyOwner = Omit<Principal, 'cacheableMs' | 'version' | 'grant'>;

/** A key's owner with the digest of its secret. */
type KeyRow = Pick<Selectable<ApiKeyTable>, keyof KeyOwner | keyof SecretDigest | 'version'>;

const workspaceFields = fieldsOf(Workspace);
const apiKeyFields = fieldsOf(ApiKey);

export async function insertWorkspace(db: Db, workspace: Workspace): Promise<Workspace> {
  return db.insertInto('workspace').values(workspace).returning(workspaceFields).executeTakeFirstOrThrow();
}

export async function findWorkspace(db: Db, id: string): Promise<Workspace | undefined> {
  return db.selectFrom('workspace').where('id', '=', id).select(workspaceFields).executeTakeFirst();
}

/** Returns all workspaces, oldest first. */
export async function listWorkspaces(db: Db): Promise<Workspace[]> {
  return db
    .selectFrom('workspace')
    .orderBy('id')
    .select(workspaceFields)
    .modifyEnd(acrossWorkspaces('the operator lists workspaces'))
    .execute();
}

/** Replaces the allowed domains. Returns undefined when there is no such workspace. */
export async function replaceDomains(
  db: Db,
  id: string,
  allowedDomains: string[],
): Promise<Workspace | undefined> {
  return db
    .updateTable('workspace')
    .set({ allowedDomains })
    .where('id', '=', id)
    .returning(workspaceFields)
    .executeTakeFirst();
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
  { apiKey, homeWorkspaceId, workspaceIds }: KeyOwner,
  { pepperId, digest }: SecretDigest,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into api_key (api_key, home_workspace_id, workspace_ids, pepper_id, digest)
    select ${apiKey}, ${homeWorkspaceId}::uuid, ${workspaceIds}::uuid[], ${pepperId}, ${digest}
    where (select count(*) from workspace where id = any(${workspaceIds}::uuid[]))
      = cardinality(${workspaceIds}::uuid[])`.execute(db);
  return numAffectedRows === 1n;
}

/** Returns the keys whose home is the workspace, oldest first, revoked ones too. */
export async function listKeys(db: Db, workspaceId: string): Promise<ApiKey[]> {
  return db
    .selectFrom('apiKey')
    .where('homeWorkspaceId', '=', workspaceId)
    .orderBy('createdAt')
    .orderBy('apiKey')
    .select(apiKeyFields)
    .execute();
}

/** Returns the key with its digest; undefined when there is none or it is revoked. */
export async function findLiveKey(db: Db, apiKey: string): Promise<KeyRow | undefined> {
  return db
    .selectFrom('apiKey')
    .where('apiKey', '=', apiKey)
    .where('revokedAt', 'is', null)
    .select(['apiKey', 'homeWorkspaceId', 'workspaceIds', 'pepperId', 'digest', 'version'])
    .modifyEnd(acrossWorkspaces('authentication: the key determines the workspaces'))
    .executeTakeFirst();
}

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
    .set({ pepperId, digest, rotatedAt: sql`now()`, version: sql`version + 1` })
    .where('apiKey', '=', apiKey)
    .where('homeWorkspaceId', '=', workspaceId)
    .where('version', '=', version)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Revokes a key. Idempotent. Returns undefined when there never was a key of that name. */
export async function revokeKey(db: Db, apiKey: string): Promise<ApiKey | undefined> {
  return db
    .updateTable('apiKey')
    .set({
      revokedAt: sql`coalesce(revoked_at, now())`,
      version: sql`version + (revoked_at is null)::int`,
    })
    .where('apiKey', '=', apiKey)
    .returning(apiKeyFields)
    .modifyEnd(acrossWorkspaces('the operator revokes a key by its name'))
    .executeTakeFirst();
}
