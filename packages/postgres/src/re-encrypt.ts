import { type Keyring, open, seal } from '@parley/runtime/config/keyring';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { acrossWorkspaces } from './sql/across-workspaces.ts';
import { tableOf } from './sql/arrays.ts';

/** A column of ciphertexts from `seal`. */
export interface SealedColumn {
  table: string;
  column: string;
  /** SQL for the last argument of `seal`, which binds a ciphertext to its row. */
  bound: RawBuilder<string>;
}

const rowsMax = 100;
const intervalMs = 60 * 60_000;
/** How many values a line of a log or of a command names: more would not be read. */
export const namedValuesMax = 20;

interface SealedValue {
  /** Its row, as a `tid`. */
  place: string;
  sealed: string;
  bound: string;
}

/**
 * Re-encrypts the ciphertexts under older keys of the ring with the current key, now and every hour, so that the older
 * keys can be removed. Skips ciphertexts that cannot be decrypted, and names them in an error line. Ignores ciphertexts
 * under keys that the ring does not have: `readKeyUse` counts them.
 */
export function keepReencrypted<Tables>(
  db: Kysely<Tables>,
  keys: Keyring,
  columns: readonly SealedColumn[],
  logger: Logger,
): Schedule {
  return repeat('re-encrypt secrets', intervalMs, logger, async () => {
    const others = [...keys.keys.keys()].filter((kid) => kid !== keys.current.id);
    if (others.length === 0) return;
    let number = 0;
    const unreadable: string[] = [];
    for (const column of columns) {
      let after: string | undefined = firstPlace;
      while (after !== undefined) {
        const page: Page = await reencryptPage(db, keys, { column, others, after });
        number += page.reencrypted;
        unreadable.push(...page.unreadable);
        after = page.next;
      }
    }
    if (number > 0) logger.info({ number, kid: keys.current.id }, 'secrets re-encrypted');
    if (unreadable.length === 0) return;
    const rows = unreadable.slice(0, namedValuesMax);
    logger.error({ number: unreadable.length, rows }, 'secrets cannot be decrypted; they keep their key');
  });
}

/** Before all rows of a table. */
const firstPlace = '(0,0)';

interface Page {
  reencrypted: number;
  unreadable: string[];
  /** Undefined after the last page. */
  next: string | undefined;
}

async function reencryptPage<Tables>(
  db: Kysely<Tables>,
  keys: Keyring,
  { column, others, after }: { column: SealedColumn; others: readonly string[]; after: string },
): Promise<Page> {
  const reason = acrossWorkspaces('secrets of all workspaces are re-encrypted');
  const { table, column: name, bound } = column;
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<SealedValue>`
      ${reason}
      select ctid::text as place, ${sql.ref(name)} as sealed, ${bound} as bound from ${sql.table(table)}
      where ctid > ${after}::tid and split_part(${sql.ref(name)}, '.', 1) = any(${others}::text[])
      order by ctid limit ${rowsMax} for no key update skip locked`.execute(trx);
    const opened = rows.map((row) => ({ ...row, text: tryOpen(keys, row) }));
    const readable = opened.flatMap(({ text, ...row }) => (text === undefined ? [] : [{ ...row, text }]));
    if (readable.length > 0) {
      await sql`
        ${reason}
        update ${sql.table(table)} set ${sql.ref(name)} = fresh.sealed
        from ${tableOf('fresh', readable, {
          place: ['text', ({ place }) => place],
          sealed: ['text', ({ text, bound }) => seal(keys, text, bound)],
        })}
        where ${sql.table(table)}.ctid = fresh.place::tid`.execute(trx);
    }
    const unreadable = opened.filter(({ text }) => text === undefined).map((row) => nameOf(column, row));
    const next = rows.length < rowsMax ? undefined : rows.at(-1)?.place;
    return { reencrypted: readable.length, unreadable, next };
  });
}

/** Returns the text, or undefined if it cannot be decrypted. */
function tryOpen(keys: Keyring, { sealed, bound }: SealedValue): string | undefined {
  try {
    return open(keys, sealed, bound);
  } catch {
    return undefined;
  }
}

/** Names a value by its column and what binds it to its row: `webhook.headers headers:<id>`. */
function nameOf({ table, column }: SealedColumn, { bound }: SealedValue): string {
  return `${table}.${column} ${bound}`;
}

/** How many stored values need a key. */
export interface KeyUse {
  kid: string;
  role: 'current' | 'older' | 'missing';
  values: number;
  /** The names of values that cannot be decrypted. */
  unreadable: string[];
}

/**
 * Counts the values under each key of the ring, and under each other key, as of one instant. Changes nothing. It reads
 * pages of one snapshot: a value that is rewritten between two statements can move behind the page that would have it,
 * and a key that is still needed would seem unused.
 */
export async function readKeyUse<Tables>(
  db: Kysely<Tables>,
  keys: Keyring,
  columns: readonly SealedColumn[],
): Promise<KeyUse[]> {
  const used = new Map<string, KeyUse>();
  const useOf = (kid: string): KeyUse => {
    const known = keys.keys.has(kid) ? 'older' : 'missing';
    const role = kid === keys.current.id ? 'current' : known;
    const use = used.get(kid) ?? { kid, role, values: 0, unreadable: [] };
    used.set(kid, use);
    return use;
  };
  for (const kid of keys.keys.keys()) useOf(kid);
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  await snapshot.execute(async (trx) => {
    for (const column of columns) {
      for await (const row of readValues(trx, column)) {
        const use = useOf(row.sealed.split('.', 1)[0] ?? '');
        use.values += 1;
        if (tryOpen(keys, row) === undefined) use.unreadable.push(nameOf(column, row));
      }
    }
  });
  return [...used.values()];
}

async function* readValues<Tables>(
  trx: Transaction<Tables>,
  { table, column, bound }: SealedColumn,
): AsyncGenerator<SealedValue> {
  let after: string | undefined = firstPlace;
  while (after !== undefined) {
    const { rows }: { rows: SealedValue[] } = await sql<SealedValue>`
      ${acrossWorkspaces('secrets of all workspaces are counted')}
      select ctid::text as place, ${sql.ref(column)} as sealed, ${bound} as bound from ${sql.table(table)}
      where ctid > ${after}::tid and ${sql.ref(column)} is not null order by ctid limit ${rowsMax}`.execute(
      trx,
    );
    yield* rows;
    after = rows.length < rowsMax ? undefined : rows.at(-1)?.place;
  }
}
