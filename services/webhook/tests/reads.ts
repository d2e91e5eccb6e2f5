import { openDatabase } from '@parley/postgres/open';
import { quietLogger as logger } from '@parley/testing/quiet';
import type { SqlSession } from '@parley/testing/sql';
import type { Tables } from '../src/schema.ts';
import type { Store } from './lanes.ts';

/** How many rows of the tables that grow were read, and how often one was read from one end to the other. */
interface Reads {
  scans: number;
  rows: number;
}

async function reads(session: SqlSession): Promise<Reads> {
  await session.query('select pg_stat_force_next_flush()');
  await session.query('select pg_stat_clear_snapshot()');
  const [found] = await session.query<Reads>(
    `select sum(seq_scan)::int as scans, sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows
     from pg_stat_user_tables
     -- Those with rows: a partition with next to nothing in it may as well be read as a whole.
     where schemaname = 'webhook' and relname ~ '^(event|open_delivery|finished_delivery|attempt)' and n_live_tup > 10000`,
  );
  return found ?? { scans: 0, rows: 0 };
}

/** Runs `work` on a connection of its own, whose reads are told when it ends, and answers what was read. */
export async function readsOf(
  store: Store,
  session: SqlSession,
  work: (db: Store['db']) => Promise<void>,
): Promise<Reads> {
  const before = await reads(session);
  {
    await using opened = openDatabase<Tables>({ url: store.url, logger, plansOnce: true });
    await work(opened.db);
  }
  const after = await reads(session);
  return { scans: after.scans - before.scans, rows: after.rows - before.rows };
}
