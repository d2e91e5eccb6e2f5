import { eventually } from '@parley/testing/eventually';
import type { SqlSession } from '@parley/testing/sql';
import { expect } from 'vitest';
import type { Hook } from './lanes.ts';

/** Begins a transaction that has a webhook's lane, as one that settles has. */
export async function holdLane(session: SqlSession, hook: Hook): Promise<void> {
  await session.query('begin');
  await session.query('select webhook_id from webhook.lane where webhook_id = $1 for update', [hook.id]);
}

/** A statement that waits for what another session has; no two of them are the same. */
interface Waiting {
  pid: number;
  since: Date;
}

/** Waits until one session of the database waits for what others have, and answers which one, and since when. */
export async function somebodyWaits(session: SqlSession): Promise<Waiting> {
  return eventually(async () => {
    // Within a transaction the same would be told again and again.
    await session.query('select pg_stat_clear_snapshot()');
    const [waiting, another] = await session.query<Waiting>(
      `select pid, query_start as since from pg_stat_activity
       where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    expect(another).toBeUndefined();
    if (!waiting) throw new Error('nobody waits');
    return waiting;
  });
}
