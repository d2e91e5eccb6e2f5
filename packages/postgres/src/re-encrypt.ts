import { type Keyring, open, seal } from '@parley/runtime/keyring';
import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { acrossWorkspaces } from './scope.ts';

/** A column of ciphertexts from `seal`. */
export interface SealedColumn {
  table: string;
  column: string;
  /** SQL for the last argument of `seal`, which binds a ciphertext to its row. */
  bound: RawBuilder<string>;
}

const rowsMax = 100;
const intervalMs = 60 * 60_000;

/**
 * Re-encrypts the ciphertexts under older keys of the ring with the current key, now and every hour, so that the older
 * keys can be removed. Ignores ciphertexts under keys that the ring does not have.
 */
export function keepReencrypted<Tables>(
  db: Kysely<Tables>,
  keys: Keyring,
  columns: readonly SealedColumn[],
  logger: Logger,
): Schedule {
  const others = [...keys.keys.keys()].filter((kid) => kid !== keys.current.id);
  return repeat('re-encrypt secrets', intervalMs, logger, async () => {
    if (others.length === 0) return;
    let number = 0;
    for (const column of columns) {
      let sealed: number;
      do {
        sealed = await reencryptPage(db, keys, others, column);
        number += sealed;
      } while (sealed === rowsMax);
    }
    if (number > 0) logger.info({ number, kid: keys.current.id }, 'secrets re-encrypted');
  });
}

/** Re-encrypts a page of rows. Returns their number. */
async function reencryptPage<Tables>(
  db: Kysely<Tables>,
  keys: Keyring,
  others: readonly string[],
  { table, column, bound }: SealedColumn,
): Promise<number> {
  const scope = acrossWorkspaces('secrets of all workspaces are re-encrypted');
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ place: string; sealed: string; bound: string }>`
      ${scope}
      select ctid::text as place, ${sql.ref(column)} as sealed, ${bound} as bound from ${sql.table(table)}
      where split_part(${sql.ref(column)}, '.', 1) = any(${others}::text[])
      limit ${rowsMax} for no key update skip locked`.execute(trx);
    if (rows.length === 0) return 0;
    const sealed = rows.map((row) => seal(keys, open(keys, row.sealed, row.bound), row.bound));
    await sql`
      ${scope}
      update ${sql.table(table)} set ${sql.ref(column)} = fresh.sealed
      from unnest(${rows.map((row) => row.place)}::text[]::tid[], ${sealed}::text[]) as fresh (place, sealed)
      where ${sql.table(table)}.ctid = fresh.place`.execute(trx);
    return rows.length;
  });
}
