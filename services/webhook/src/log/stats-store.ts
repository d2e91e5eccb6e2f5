import type { HourStats, Stats } from '@parley/contracts/webhook/v1/delivery';
import { webhookLimits } from '@parley/contracts/limits';
import { ofWaiting, postponedBy, waitingOf } from '@parley/events/shares';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { notFound } from '@parley/runtime/errors';
import { sql } from 'kysely';
import { durable } from '../intake/kinds.ts';
import { isCostly } from '../intake/shares.ts';
import { failingMsMax } from '../scheduling/attempts/failing.ts';
import { type Db, ofWebhook, type WebhookKey } from '../schema.ts';
import { subscriberUnits } from '../subscriptions/subscription-store.ts';

/** The count of open deliveries stops here. */
const countedMax = 10_000;
const hoursMax = 24;
const { waitingEventsCountedMax } = webhookLimits;
/** Where events wait for costly filters. */
const postponed = postponedBy(durable);

/** Throws NOT_FOUND if the webhook does not exist. */
export async function readStats(db: Db, webhook: WebhookKey): Promise<Stats> {
  const { rows } = await sql<Omit<Stats, 'hours' | 'disabledAt' | keyof Delay>>`
    select
      -- The order makes the planner use the index of due deliveries.
      (select count(*)::int from (
        select id from open_delivery where ${ofWebhook(webhook)} and due_at <= 'infinity'
        order by due_at limit ${sql.lit(countedMax)}) as counted) as pending,
      coalesce(extract(epoch from now() - (
        select due_at from open_delivery
        where ${ofWebhook(webhook)} and claimed_by is null and due_at <= now()
        order by due_at limit 1)), 0)::float8 as oldest_due_seconds,
      case when lane.openings > 0 then 'open' else 'closed' end as breaker,
      case when lane.paused_until > now() then lane.paused_until end as paused_until,
      coalesce(case when lane.paused_until > now()
        then coalesce(lane.pause_reason, case when lane.openings > 0 then 'breaker' end) end, '') as pause_reason,
      coalesce(webhook.inactive_reason, '') as inactive_reason, lane.last_success_at, lane.failing_since,
      coalesce(filter_result.filtered, 0) as filtered, coalesce(filter_result.errors, 0) as filter_errors,
      filter_result.last_error as last_filter_error
    from lane join webhook on webhook.id = lane.webhook_id and webhook.workspace_id = lane.workspace_id
    left join filter_result on filter_result.webhook_id = webhook.id
      and filter_result.workspace_id = webhook.workspace_id
    where lane.workspace_id = ${webhook.workspaceId} and lane.webhook_id = ${webhook.webhookId}
      and webhook.deleted_at is null`.execute(scans(db));
  const [lane] = rows;
  if (!lane) throw notFound();
  const { rows: hours } = await sql<HourStats>`
    select hour, attempts, failures, (total_ms / attempts)::int as mean_ms, max_ms from lane_hour
    where ${ofWebhook(webhook)} order by hour desc limit ${hoursMax}`.execute(reads(db));
  const isFailing = lane.failingSince !== null && lane.inactiveReason === '';
  return {
    ...lane,
    ...(await readDelay(db, webhook)),
    disabledAt: isFailing ? new Date(Number(lane.failingSince) + failingMsMax) : null,
    hours: hours.toReversed(),
  };
}

type Delay = Pick<Stats, 'delayedSince' | 'delayReason' | 'waitingEvents'>;

/**
 * Returns which events wait that the webhook may get: events of its workspace, and postponed ones if its filter is
 * costly, or was when the first of them was raised.
 */
async function readDelay(db: Db, webhook: WebhookKey): Promise<Delay> {
  const [ofTurn, workspaceId] = [sql`inbox_turn.durable`, sql`inbox_turn.workspace_id`];
  const waiting = waitingOf({ durable: ofTurn, workspaceId });
  const first = sql`(select raised_at from event_put_aside where ${waiting} limit 1)`;
  const { rows } = await sql<{ durable: string; since: Date; events: number; filters: (string | null)[] }>`
    ${ofWaiting}
    select durable, since, (select count(*)::int from (
        select from event_put_aside where ${waiting}
        limit ${sql.lit(waitingEventsCountedMax)}) as counted) as events,
      array(
        select filter from subscription where ${ofWebhook(webhook)} and since >= (
          select coalesce(max(since), '-infinity') from subscription
          where ${ofWebhook(webhook)} and since <= ${first})) as filters
    from inbox_turn join webhook on webhook.workspace_id = inbox_turn.workspace_id
    where durable in (${durable}, ${postponed}) and webhook.workspace_id = ${webhook.workspaceId}
      and webhook.id = ${webhook.webhookId} and listening_since is not null
    order by since`.execute(reads(db));
  const own = rows.filter(
    (turn) =>
      turn.durable === durable || turn.filters.some((filter) => isCostly({ units: subscriberUnits(filter) })),
  );
  const events = own.reduce((sum, turn) => sum + turn.events, 0);
  const reason = own.some((turn) => turn.durable === postponed) ? 'filter' : 'workspace';
  return {
    delayedSince: own[0]?.since ?? null,
    delayReason: own.length === 0 ? '' : reason,
    waitingEvents: Math.min(events, waitingEventsCountedMax),
  };
}
