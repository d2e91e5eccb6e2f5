import type { ErasureKey } from '@parley/contracts/customer/v1/customer';
import type { SealedColumn } from '@parley/postgres/re-encrypt';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';

type Db = Kysely<Tables>;

const ofDeployment = acrossWorkspaces('the keys of receipts belong to the deployment');

/** The encrypted columns, as `erasure-keys.ts` writes them. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'erasure_key', column: 'sealed', bound: sql`'erasure-key:' || kid` },
];

/** Returns the public keys of all receipts, newest first. */
export function listKeys(db: Db): Promise<ErasureKey[]> {
  return newestFirst(db).select(['kid', 'x', 'createdAt']).execute();
}

/** Returns the keys that can sign, newest first. Their private parts are encrypted. */
export function listPrivateKeys(db: Db) {
  return newestFirst(db)
    .select(['kid', 'x', 'sealed'])
    .where('sealed', 'is not', null)
    .$narrowType<{ sealed: string }>()
    .execute();
}

export async function lockKeys(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('erasure keys', 0))`.execute(trx);
}

/** Returns the time of the insertion. */
export async function insertKey(trx: Db, key: { kid: string; x: string; sealed: string }): Promise<Date> {
  const row = await trx
    .insertInto('erasureKey')
    .values(key)
    .returning('createdAt')
    .modifyEnd(ofDeployment)
    .executeTakeFirstOrThrow();
  return row.createdAt;
}

/** Deletes the private parts of all keys but one. */
export async function retireOthers(trx: Db, kid: string): Promise<void> {
  await trx
    .updateTable('erasureKey')
    .set({ sealed: null })
    .where('kid', '!=', kid)
    .modifyEnd(ofDeployment)
    .execute();
}

function newestFirst(db: Db) {
  return db.selectFrom('erasureKey').orderBy('createdAt', 'desc').modifyEnd(ofDeployment);
}
