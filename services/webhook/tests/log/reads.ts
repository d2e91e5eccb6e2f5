import { openDatabase } from '@parley/postgres/connecting/open';
import { quietLogger as logger } from '@parley/testing/quiet';
import type { SqlConnection } from '@parley/testing/database/sql';
import type { Tables } from '../../src/schema.ts';
import type { Store } from '../lanes/lanes.ts';

/** How many rows of the growing tables were read, and how many sequential scans there were. */
interface Reads {
  scans: number;
  rows: number;
}

async function reads(session: SqlConnection): Promise<Reads> {
  await session.query('select pg_stat_force_next_flush()');
  await session.query('select pg_stat_clear_snapshot()');
  const [found] = await session.query<Reads>(
    `select sum(seq_scan)::int as scans, sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows
     from pg_stat_user_tables
     where schemaname = 'webhook'
       and relname ~ '^(event|open_delivery|finished_delivery|attempt|webhook$|lane$|signing_secret)'
       -- A partition with next to nothing in it may as well be read as a whole.
       and n_live_tup > 2000`,
  );
  return found ?? { scans: 0, rows: 0 };
}

/** A connection whose reads can be counted. */
export interface CountedReads extends AsyncDisposable {
  db: Store['db'];
  /** Runs `work` on the connection, closes it, and returns the rows that `work` has read. Reuses cached plans. */
  of(work: (db: Store['db']) => Promise<void>): Promise<Reads>;
}

export function countReads(store: Store, session: SqlConnection): CountedReads {
  // Of two connections the first is used while statements follow one after another.
  const opened = openDatabase<Tables>({ url: store.url, logger, plansOnce: true, connectionsMax: 3 });
  const { db } = opened;
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await opened[Symbol.asyncDispose]();
    isOpen = false;
  };
  return {
    db,
    of: async (work) => {
      const before = await reads(session);
      await work(db);
      // Postgres counts the reads of a connection at the latest when it closes.
      await close();
      const after = await reads(session);
      return { scans: after.scans - before.scans, rows: after.rows - before.rows };
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Runs `work` on a new connection and returns its reads. */
export async function readsOf(
  store: Store,
  session: SqlConnection,
  work: (db: Store['db']) => Promise<void>,
): Promise<Reads> {
  await using counted = countReads(store, session);
  return await counted.of(work);
}

/** Prevents statistics of the growing tables, also in later partitions. */
export async function withoutStatistics(session: SqlConnection): Promise<void> {
  const tables = await session.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace = 'webhook'::regnamespace`,
  );
  for (const { name } of tables) await session.query(`alter table ${name} set (autovacuum_enabled = false)`);
}
