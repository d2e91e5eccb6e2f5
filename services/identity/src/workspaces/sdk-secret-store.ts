import type { SealedColumn } from '@parley/postgres/re-encrypt';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SdkSecretTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;
type SealedSecret = Pick<Selectable<SdkSecretTable>, 'kid' | 'sealed'>;

const liveGenerations = 2;

/** The encrypted columns, as `sdkSecrets` writes them. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'sdk_secret', column: 'sealed', bound: sql`'sdk-secret:' || workspace_id || ':' || kid` },
];

/** Newest first. */
export async function listLiveSecrets(db: Db, workspaceId: string): Promise<SealedSecret[]> {
  return db
    .selectFrom('sdkSecret')
    .where('workspaceId', '=', workspaceId)
    .orderBy('generation', 'desc')
    .limit(liveGenerations)
    .select(['kid', 'sealed'])
    .execute();
}

/**
 * Adds the workspace's next secret and deletes secrets that are no longer live. Generations come from the workspace's
 * row, so concurrent writers get one each. Returns false when there is no such workspace.
 */
export async function insertNextSecret(db: Db, workspaceId: string, secret: SealedSecret): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with next as (
      update workspace set sdk_generation = sdk_generation + 1
      where id = ${workspaceId} returning id, sdk_generation
    ), dead as (
      delete from sdk_secret using next
      where workspace_id = next.id and generation <= next.sdk_generation - ${liveGenerations}::int
    )
    insert into sdk_secret (workspace_id, generation, kid, sealed)
    select id, sdk_generation, ${secret.kid}, ${secret.sealed} from next`.execute(db);
  return numAffectedRows === 1n;
}

/** Adds the workspace's first secret. Does nothing if it has had one or does not exist. */
export async function insertFirstSecret(db: Db, workspaceId: string, secret: SealedSecret): Promise<void> {
  await sql`
    with first as (
      update workspace set sdk_generation = 1
      where id = ${workspaceId} and sdk_generation = 0 returning id
    )
    insert into sdk_secret (workspace_id, generation, kid, sealed)
    select id, 1, ${secret.kid}, ${secret.sealed} from first`.execute(db);
}
