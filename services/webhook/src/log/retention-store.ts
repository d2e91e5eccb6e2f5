import { webhookLimits } from '@parley/contracts/limits';
import { purgeDue } from '@parley/postgres/due-work';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type RawBuilder, sql } from 'kysely';
import { longestScheduleMs } from '../scheduling/attempts/backoff.ts';
import { freePausesEndMs } from '../scheduling/attempts/next-state.ts';
import type { Db } from '../schema.ts';

const { daysKept } = webhookLimits;
const dayMs = 24 * 60 * 60 * 1_000;
const eventsMax = 500;
const statsDaysKept = 7;
const rowsMax = 5_000;

/**
 * Deletes a page of old events without open deliveries. The event of a test stays as long as the log has its delivery.
 * Returns true if there may be more.
 */
export async function purgeEvents(
  db: Db,
  { retryDelaysMs }: { retryDelaysMs: readonly number[] },
): Promise<boolean> {
  // The scalar subquery reads the log only for tests, by index.
  const isNoLoggedTest = sql`(not event.is_test or (
          select finished_delivery.event_id from finished_delivery
          where finished_delivery.event_id = event.id and finished_delivery.workspace_id = event.workspace_id
          limit 1) is null)`;
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; workspaceId: string }>`
      ${acrossWorkspaces('a purge by age')}
      select id, workspace_id from event
      where received_at < now() - ${eventDaysKept(retryDelaysMs)} * interval '1 day'
        and not exists (select from open_delivery where open_delivery.event_id = event.id) and ${isNoLoggedTest}
      order by received_at limit ${sql.lit(eventsMax)} for update skip locked`.execute(trx);
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

/**
 * Deletes a page of old statistics, of old recoveries that have ended, and of old notes of deleted interactions.
 * Returns true if there may be more.
 */
export async function purgeByAge(
  db: Db,
  { eventRetentionDays }: { eventRetentionDays: number },
): Promise<boolean> {
  const isMore = [
    await purgePage(db, 'lane_hour', sql`hour < now() - ${sql.lit(statsDaysKept)} * interval '1 day'`),
    await purgePage(
      db,
      'recovery',
      sql`created_at < now() - ${sql.lit(daysKept)} * interval '1 day' and state <> 'running'`,
    ),
    await purgePage(
      db,
      'deleted_interaction',
      sql`deleted_at < now() - ${sql.lit(eventRetentionDays)} * interval '1 day'`,
    ),
  ];
  return isMore.includes(true);
}

function purgePage(db: Db, table: string, isDue: RawBuilder<unknown>): Promise<boolean> {
  return purgeDue(db, acrossWorkspaces('a purge by age'), { table, isDue, limit: rowsMax });
}
