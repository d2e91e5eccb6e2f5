import { eventually } from '@parley/testing/eventually';
import type { SqlConnection } from '@parley/testing/database/sql';
import { expect } from 'vitest';
import type { Hook } from './lanes.ts';

/** Opens a transaction that locks a webhook's lane, like one that records results of an ordered webhook. */
export async function lockLane(session: SqlConnection, hook: Hook): Promise<void> {
  await session.query('begin');
  await session.query('select webhook_id from webhook.lane where webhook_id = $1 for update', [hook.id]);
}

/** A statement that waits for a lock. Each is unique. */
interface Waiting {
  pid: number;
  since: Date;
}

/** Waits until exactly one connection of the database waits for a lock. Returns it with the start of its wait. */
export async function oneWaits(session: SqlConnection): Promise<Waiting> {
  return eventually(async () => {
    // A transaction reads the statistics only once.
    await session.query('select pg_stat_clear_snapshot()');
    const [waiting, another] = await session.query<Waiting>(
      `select pid, query_start as since from pg_stat_activity
       where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    expect(another).toBeUndefined();
    if (!waiting) throw new Error('nothing waits for a lock');
    return waiting;
  });
}
