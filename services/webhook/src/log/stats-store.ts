import { filterUnits } from '@parley/bot/event-filter';
import type { HourStats, Stats } from '@parley/contracts/webhook/v1/delivery';
import { webhookLimits } from '@parley/contracts/limits';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { notFound } from '@parley/runtime/errors';
import { sql } from 'kysely';
import { durable } from '../intake/kinds.ts';
import { isCostly } from '../intake/shares.ts';
import { failingMsMax } from '../scheduling/attempts/failing.ts';
import { type Db, ofWebhook, type WebhookKey } from '../schema.ts';

/** The count of open deliveries stops here. */
const countedMax = 10_000;
const hoursMax = 24;

/** Throws NOT_FOUND if the webhook does not exist. */
export async function readStats(db: Db, webhook: WebhookKey): Promise<Stats> {
  const { rows } = await sql<Omit<Stats, 'hours' | 'disabledAt' | 'delayReason'> & { filter: string | null }>`
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
      filter_result.last_error as last_filter_error,
      inbox_turn.since as delayed_since,
      case when inbox_turn.since is not null then (select count(*)::int from (
        select from event_put_aside
        where durable = inbox_turn.durable and workspace_id = inbox_turn.workspace_id and tries = 0
        limit ${sql.lit(webhookLimits.waitingEventsCountedMax)}) as counted) else 0 end as waiting_events,
      case when inbox_turn.since is not null then (
        select filter from subscription where ${ofWebhook(webhook)} order by since desc limit 1) end as filter
    from lane join webhook on webhook.id = lane.webhook_id and webhook.workspace_id = lane.workspace_id
    left join filter_result on filter_result.webhook_id = webhook.id
      and filter_result.workspace_id = webhook.workspace_id
    left join inbox_turn on inbox_turn.durable = ${durable} and inbox_turn.workspace_id = webhook.workspace_id
      and webhook.listening_since is not null
    where lane.workspace_id = ${webhook.workspaceId} and lane.webhook_id = ${webhook.webhookId}
      and webhook.deleted_at is null`.execute(scans(db));
  const [found] = rows;
  if (!found) throw notFound();
  const { filter, ...lane } = found;
  const { rows: hours } = await sql<HourStats>`
    select hour, attempts, failures, (total_ms / attempts)::int as mean_ms, max_ms from lane_hour
    where ${ofWebhook(webhook)} order by hour desc limit ${hoursMax}`.execute(reads(db));
  const isFailing = lane.failingSince !== null && lane.inactiveReason === '';
  return {
    ...lane,
    delayReason: lane.delayedSince === null ? '' : delayReasonOf(filter),
    disabledAt: isFailing ? new Date(Number(lane.failingSince) + failingMsMax) : null,
    hours: hours.toReversed(),
  };
}

function delayReasonOf(filter: string | null): string {
  return filter !== null && isCostly(filterUnits(filter)) ? 'filter' : 'workspace';
}
