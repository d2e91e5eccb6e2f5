import { type Keyring, open, seal } from '@parley/runtime/keyring';
import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { acrossWorkspaces } from './scope.ts';

/** A column of texts that `seal` made. */
export interface SealedColumn {
  table: string;
  column: string;
  /** SQL for what a row's text is bound to: the last argument of `seal`. */
  bound: RawBuilder<string>;
}

const rowsMax = 100;
const intervalMs = 60 * 60_000;

/**
 * Seals anew what is sealed under other keys of the ring than the current one, now and every hour, so that those can be
 * taken out of it. What is under a key that the ring has not stays as it is.
 */
export function keepSealedAnew<Tables>(
  db: Kysely<Tables>,
  keys: Keyring,
  columns: readonly SealedColumn[],
  logger: Logger,
): Schedule {
  const others = [...keys.keys.keys()].filter((kid) => kid !== keys.current.id);
  return repeat('seal secrets anew', intervalMs, logger, async () => {
    if (others.length === 0) return;
    let number = 0;
    for (const column of columns) {
      let sealed: number;
      do {
        sealed = await resealPage(db, keys, others, column);
        number += sealed;
      } while (sealed === rowsMax);
    }
    if (number > 0) logger.info({ number, kid: keys.current.id }, 'secrets are sealed anew');
  });
}

/** Seals a page of rows anew that are under one of the other keys; answers how many. */
async function resealPage<Tables>(
  db: Kysely<Tables>,
  keys: Keyring,
  others: readonly string[],
  { table, column, bound }: SealedColumn,
): Promise<number> {
  const scope = acrossWorkspaces('secrets are sealed anew whosever they are');
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
      update ${sql.table(table)} set ${sql.ref(column)} = anew.sealed
      from unnest(${rows.map((row) => row.place)}::text[]::tid[], ${sealed}::text[]) as anew (place, sealed)
      where ${sql.table(table)}.ctid = anew.place`.execute(trx);
    return rows.length;
  });
}
