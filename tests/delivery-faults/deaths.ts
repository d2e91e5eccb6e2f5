import { eventually } from '@parley/testing/eventually';
import type { SqlConnection } from '@parley/testing/database/sql';
import type { World } from './world.ts';

/**
 * The lock that stops a worker's statement, and whether the statement is rolled back with the worker or committed
 * without it.
 */
interface Stop {
  lock: { text: string; values?: unknown[] };
  outcome: 'undone' | 'committed';
  /** Called once the lock is held. */
  onLocked?: () => Promise<void> | void;
}

const waitingBackends = `from pg_stat_activity
  where usename = 'parley_webhook' and wait_event_type = 'Lock' and $1::int = any(pg_blocking_pids(pid))`;

/** Kills the first worker whose statement needs the lock, during that statement. */
export async function dieInStatement(world: World, { lock, outcome, onLocked }: Stop): Promise<void> {
  const { processes } = world;
  await using watcher = await world.openSql();
  await using locker = await world.openSql();
  await watcher.query(firstStoppedFunction);
  const [self] = await locker.query<{ pid: number }>('select pg_backend_pid() as pid');
  await locker.query(`begin; set local lock_timeout = '5s'`);
  // Statements that arrive while the lock waits are stopped as well, so look for them from now on.
  const locking = locker.query(lock.text, lock.values).then(() => onLocked?.());
  const stopping = firstStopped(watcher, self?.pid);
  const [stopped] = await Promise.all([stopping, locking]);
  const pid = processes.pidOf(world.replicaOf(stopped));
  if (outcome === 'undone') {
    process.kill(pid, 'SIGKILL');
    const end = `select pg_terminate_backend(pid, 5000) ${waitingBackends} and application_name = $2`;
    await watcher.query(end, [self?.pid, stopped]);
    await locker.query('rollback');
    return;
  }
  process.kill(pid, 'SIGSTOP');
  try {
    await locker.query('rollback');
    await untilIdle(watcher, stopped);
  } finally {
    process.kill(pid, 'SIGKILL');
  }
}

/** Waits until the database runs no statement of the replica. */
function untilIdle(watcher: SqlConnection, applicationName: string): Promise<void> {
  return eventually(
    async () => {
      const busy = `select 1 from pg_stat_activity where application_name = $1 and state = 'active'`;
      if ((await watcher.query(busy, [applicationName])).length > 0) {
        throw new Error('the statement does not end');
      }
    },
    { everyMs: 2 },
  );
}

/** Kills a worker when its request has arrived, or has been answered. */
export function dieAtRequest({ receivers, replicaPids }: World, moment: 'arrival' | 'answer'): Promise<void> {
  return receivers.trap(moment, replicaPids);
}

/**
 * Waits for a worker's statement that the lock blocks, and returns the worker's application name. The server polls
 * every millisecond, because the worker cannot record its deliveries meanwhile.
 */
async function firstStopped(watcher: SqlConnection, lockerPid: number | undefined): Promise<string> {
  const [row] = await watcher.query<{ name: string | null }>('select pg_temp.first_stopped($1) as name', [
    lockerPid,
  ]);
  if (!row?.name) throw new Error('no worker reached this step');
  return row.name;
}

const firstStoppedFunction = `create function pg_temp.first_stopped(integer) returns text language plpgsql as $$
  declare name text;
  begin
    for look in 1..6000 loop
      perform pg_stat_clear_snapshot();
      select application_name into name ${waitingBackends} limit 1;
      exit when found;
      perform pg_sleep(0.001);
    end loop;
    return name;
  end $$`;
