import { ApiKey } from '@parley/contracts/identity/v1/identity';
import { keyLimits } from '@parley/contracts/limits';
import { fieldsOf } from '@parley/postgres/sql/fields';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { scans } from '@parley/postgres/sql/dialect';
import { AppError } from '@parley/runtime/errors';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { expandScopes } from '../rules/key-power.ts';
import type { ApiKeyTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;

const columns = fieldsOf(ApiKey, ['hasAllScopes']);
type KeyColumns = Pick<Selectable<ApiKeyTable>, (typeof columns)[number]>;

export interface LockedKey extends ApiKey {
  /** As it is stored. */
  pepperId: string;
  storedScopes: string[] | null;
  /** Whether it is neither revoked nor expired. */
  isLive: boolean;
  now: Date;
}

/**
 * Returns the calling key, and the target if its home is the workspace. Concurrent transactions lock keys in the same
 * order.
 */
export async function lockKeys(
  trx: Db,
  caller: string,
  { workspaceId, apiKey }: { workspaceId: string; apiKey: string },
): Promise<{ caller: LockedKey | undefined; target: LockedKey | undefined }> {
  const rows = await trx
    .selectFrom('apiKey')
    .where(sql<boolean>`(
      api_key = ${caller} or (api_key = ${apiKey} and home_workspace_id = ${workspaceId}::uuid))`)
    .orderBy('apiKey')
    .select([...columns, 'pepperId'])
    .select([
      sql<boolean>`revoked_at is null and (expires_at is null or expires_at > now())`.as('isLive'),
      sql<Date>`now()`.as('now'),
    ])
    .forNoKeyUpdate()
    .modifyEnd(acrossWorkspaces('the home of a caller may be another workspace'))
    .execute();
  const locked = rows.map((row) => ({ ...row, ...toApiKey(row), storedScopes: row.scopes }));
  const home = workspaceId.toLowerCase();
  return {
    caller: locked.find((row) => row.apiKey === caller),
    target: locked.find((row) => row.apiKey === apiKey && row.homeWorkspaceId === home),
  };
}

/**
 * Makes room for one more key whose home is the workspace. At the maximum, it deletes the oldest key that ended a day
 * ago or earlier; FAILED_PRECONDITION `too-many-api-keys` if there is none. Other new keys of the workspace wait for
 * the end of the transaction.
 */
export async function makeRoomForKey(trx: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`keys of ${workspaceId.toLowerCase()}`}, 0))`.execute(
    trx,
  );
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_key where home_workspace_id = ${workspaceId}`.execute(trx);
  if ((rows[0]?.count ?? 0) < keyLimits.perWorkspaceMax) return;
  const { numAffectedRows } = await sql`
    delete from api_key where home_workspace_id = ${workspaceId} and api_key = (
      select api_key from api_key
      where home_workspace_id = ${workspaceId} and least(revoked_at, expires_at) < now() - interval '1 day'
      order by created_at limit 1 for update skip locked)`.execute(trx);
  if (numAffectedRows === 1n) return;
  const detail = `The workspace has ${keyLimits.perWorkspaceMax} API keys, the maximum`;
  throw new AppError('failed_precondition', 'too-many-api-keys', detail);
}

/** Inserts the key of one workspace, which exists. */
export async function insertApiKey(
  trx: Db,
  key: Omit<Insertable<ApiKeyTable>, 'workspaceIds'>,
): Promise<ApiKey> {
  const row = await trx
    .insertInto('apiKey')
    .values({ ...key, workspaceIds: [key.homeWorkspaceId] })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toApiKey(row);
}

export async function findApiKey(db: Db, workspaceId: string, apiKey: string): Promise<ApiKey | undefined> {
  const row = await ofWorkspace(db, workspaceId).where('apiKey', '=', apiKey).executeTakeFirst();
  return row && toApiKey(row);
}

/** Returns the keys whose home is the workspace, oldest first, revoked ones too. */
export async function listApiKeys(db: Db, workspaceId: string): Promise<ApiKey[]> {
  const rows = await inOrder(ofWorkspace(scans(db), workspaceId)).execute();
  return rows.map(toApiKey);
}

/** A page of `listApiKeys`. `after`: only keys behind this one. */
export async function listApiKeyPage(
  db: Db,
  workspaceId: string,
  after: string | null,
  limit: number,
): Promise<ApiKey[]> {
  const all = ofWorkspace(db, workspaceId);
  const rest =
    after === null
      ? all
      : all.where(sql<boolean>`(created_at, api_key) > (
          select created_at, api_key from api_key
          where home_workspace_id = ${workspaceId}::uuid and api_key = ${after})`);
  const rows = await inOrder(rest).limit(sql.lit(limit)).execute();
  return rows.map(toApiKey);
}

/** Raises the version. */
export async function updateApiKey(
  trx: Db,
  workspaceId: string,
  apiKey: string,
  change: Pick<Selectable<ApiKeyTable>, 'name' | 'createdBy' | 'scopes' | 'expiresAt' | 'pepperId'>,
): Promise<ApiKey> {
  const row = await trx
    .updateTable('apiKey')
    .set({ ...change, version: sql`version + 1` })
    .where('apiKey', '=', apiKey)
    .where('homeWorkspaceId', '=', workspaceId)
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toApiKey(row);
}

/** Idempotent. */
export async function revokeApiKey(trx: Db, workspaceId: string, apiKey: string): Promise<ApiKey> {
  const row = await trx
    .updateTable('apiKey')
    .set(revocation)
    .where('apiKey', '=', apiKey)
    .where('homeWorkspaceId', '=', workspaceId)
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toApiKey(row);
}

/**
 * Revokes any key. Idempotent. Returns no key when there never was one of that name, and whether the key was not
 * revoked before.
 */
export async function revokeAnyKey(
  trx: Db,
  apiKey: string,
): Promise<{ revoked: ApiKey | undefined; isNew: boolean }> {
  const before = await trx
    .selectFrom('apiKey')
    .where('apiKey', '=', apiKey)
    .select(['homeWorkspaceId', 'revokedAt'])
    .forNoKeyUpdate()
    .modifyEnd(acrossWorkspaces('the operator revokes a key by its name'))
    .executeTakeFirst();
  if (!before) return { revoked: undefined, isNew: false };
  const revoked = await revokeApiKey(trx, before.homeWorkspaceId, apiKey);
  return { revoked, isNew: before.revokedAt === null };
}

const revocation = {
  revokedAt: sql<Date>`coalesce(revoked_at, now())`,
  version: sql<number>`version + (revoked_at is null)::int`,
};

function toApiKey({ scopes, ...row }: KeyColumns): ApiKey {
  return { ...row, scopes: expandScopes(scopes), hasAllScopes: scopes === null };
}

function ofWorkspace(db: Db, workspaceId: string) {
  return db.selectFrom('apiKey').where('homeWorkspaceId', '=', workspaceId).select(columns);
}

function inOrder(query: ReturnType<typeof ofWorkspace>) {
  return query.orderBy('createdAt').orderBy('apiKey');
}
