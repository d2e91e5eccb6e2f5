import { webhookLimits } from '@parley/contracts/limits';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
import { longestCourseMs } from '../rules/backoff.ts';
import { freePausesEndMs } from '../rules/verdict.ts';
import { makePartitions } from '../deliveries/partitions.ts';
import type { Tables } from '../schema.ts';

const { daysKept } = webhookLimits;
const dayMs = 24 * 60 * 60 * 1_000;
const eventsMax = 500;
/** How long statistics are kept. */
const hoursDaysKept = 7;
const hoursMax = 5_000;

/**
 * Makes the partitions of the coming days, then drops those of before, each by itself: one that is in use for longer than
 * half a second stays, and all others are as they should be when this rejects with an `AggregateError`.
 */
export async function tendPartitions(db: Kysely<Tables>): Promise<void> {
  await makePartitions(db);
  const { rows } = await sql<{ name: string }>`select name from old_partitions(${daysKept})`.execute(db);
  const failures: unknown[] = [];
  for (const { name } of rows) {
    try {
      await sql`select drop_partition(${name})`.execute(db);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'old partitions could not be dropped');
}

/**
 * Deletes a page of events that came long ago and are not open, and of bodies for some that never came. By then the log has
 * lost what ended within the schedule `retryDelaysMs` and its free pauses. What ended later, retried or held up for days, may
 * still be there, and cannot be made due again; only a test keeps its event, which says that it is one. True when there may
 * be more.
 */
export async function purgeEvents(
  db: Kysely<Tables>,
  { retryDelaysMs }: { retryDelaysMs: readonly number[] },
): Promise<boolean> {
  // Tests are few: asked of all events, it would pass over a whole backlog every minute, for weeks after an outage. As a scalar
  // it is a look-up for each, never a scan of the log.
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
    // A statement of its own: it sees the deliveries that were opened again by who had locked the event until now.
    await sql`
      delete from event
      where id = any(${ids}::uuid[]) and workspace_id = any(${workspaceIds}::uuid[]) and not exists (
        select from open_delivery
        where open_delivery.event_id = event.id and open_delivery.workspace_id = event.workspace_id)
        and ${isNoLoggedTest}`.execute(trx);
    return rows.length === eventsMax;
  });
}

/**
 * For how many days after it came an event is kept: the longest that a delivery takes by free pauses and the schedule, and
 * what the log keeps then, which goes by whole days. An event can come again a day after it was last sent, so it is never less than that
 * (docs/decisions/0003).
 */
function eventDaysKept(retryDelaysMs: readonly number[]): number {
  return (
    daysKept + 1 + Math.ceil(freePausesEndMs / dayMs) + Math.ceil(longestCourseMs(retryDelaysMs) / dayMs)
  );
}

/** Deletes a page of statistics of hours that are long over. True when there may be more. */
export async function purgeHours(db: Kysely<Tables>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    ${acrossWorkspaces('a purge by age')}
    with old_hour as materialized (
      select webhook_id, hour from lane_hour
      where hour < now() - ${hoursDaysKept} * interval '1 day'
      order by hour limit ${sql.lit(hoursMax)} for update skip locked
    )
    delete from lane_hour using old_hour
    where lane_hour.webhook_id = old_hour.webhook_id and lane_hour.hour = old_hour.hour`.execute(db);
  return numAffectedRows === BigInt(hoursMax);
}
