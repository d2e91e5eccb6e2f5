import { webhookLimits } from '@parley/contracts/limits';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type RawBuilder, sql } from 'kysely';
import { makePartitions } from '../deliveries/partitions.ts';
import { longestScheduleMs } from '../scheduling/backoff.ts';
import { freePausesEndMs } from '../scheduling/next-state.ts';
import type { Db } from '../schema.ts';

const { daysKept } = webhookLimits;
const dayMs = 24 * 60 * 60 * 1_000;
const eventsMax = 500;
/** How long statistics are stored. */
const statsDaysKept = 7;
const rowsMax = 5_000;

/** Creates partitions and drops old ones. Rejects with an `AggregateError` after the rest when some are in use. */
export async function maintainPartitions(db: Db): Promise<void> {
  await makePartitions(db);
  await db.transaction().execute(async (lock) => {
    // Postgres ends a drop with an internal error when another session drops the same partition. This transaction is
    // idle until the last drop: longer than the limit of five seconds.
    const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('drop_partitions', 0)) as is_mine,
        set_config('idle_in_transaction_session_timeout', '10min', true)`.execute(lock);
    if (rows[0]?.isMine === true) await dropOldPartitions(db);
  });
}

async function dropOldPartitions(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from old_partitions(${daysKept})`.execute(db);
  const failures: unknown[] = [];
  // One after another, since each may wait for a lock.
  for (const { name } of rows) {
    await sql`select drop_partition(${name})`.execute(db).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'old partitions could not be dropped');
}

/**
 * Deletes a page of old events without open deliveries. The event of a test stays as long as the log has its delivery.
 * Returns true if there may be more.
 */
export async function purgeEvents(
  db: Db,
  { retryDelaysMs }: { retryDelaysMs: readonly number[] },
): Promise<boolean> {
  // The scalar subquery reads the log only for tests, by index.
  const isNoLoggedTest = sql`(event.name is null or (
          select finished_delivery.event_id from finished_delivery
          where finished_delivery.event_id = event.id and finished_delivery.workspace_id = event.workspace_id
          limit 1) is null)`;
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; workspaceId: string }>`
      ${acrossWorkspaces('a purge by age')}
      select id, workspace_id from event
      where coalesce(received_at, put_at) < now() - ${eventDaysKept(retryDelaysMs)} * interval '1 day'
        and not exists (select from open_delivery where open_delivery.event_id = event.id) and ${isNoLoggedTest}
      order by coalesce(received_at, put_at) limit ${sql.lit(eventsMax)} for update skip locked`.execute(trx);
    const ids = rows.map((row) => row.id);
    const workspaceIds = rows.map((row) => row.workspaceId);
    // A second statement sees the deliveries that were reopened before the events were locked.
    await sql`
      delete from event
      where id = any(${ids}::uuid[]) and workspace_id = any(${workspaceIds}::uuid[]) and not exists (
        select from open_delivery
        where open_delivery.event_id = event.id and open_delivery.workspace_id = event.workspace_id)
        and ${isNoLoggedTest}`.execute(trx);
    return rows.length === eventsMax;
  });
}

/** Returns how long events are stored: the longest duration of a delivery, and its time in the log. */
function eventDaysKept(retryDelaysMs: readonly number[]): number {
  return (
    daysKept + 1 + Math.ceil(freePausesEndMs / dayMs) + Math.ceil(longestScheduleMs(retryDelaysMs) / dayMs)
  );
}

/** Deletes a page of old statistics, and of old recoveries that have ended. Returns true if there may be more. */
export async function purgeByAge(db: Db): Promise<boolean> {
  const isMore = [
    await purgePage(db, 'lane_hour', sql`hour < now() - ${sql.lit(statsDaysKept)} * interval '1 day'`),
    await purgePage(
      db,
      'recovery',
      sql`created_at < now() - ${sql.lit(daysKept)} * interval '1 day' and state <> 'running'`,
    ),
  ];
  return isMore.includes(true);
}

async function purgePage(db: Db, table: string, isOld: RawBuilder<unknown>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    ${acrossWorkspaces('a purge by age')}
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${isOld}
      limit ${sql.lit(rowsMax)} for update skip locked))`.execute(db);
  return numAffectedRows === BigInt(rowsMax);
}
