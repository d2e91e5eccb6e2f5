import { type RawBuilder, sql } from 'kysely';
import {
  failuresApartMs,
  inFlightDivisor,
  inFlightFirst,
  inFlightLimit,
  pauseMsMin,
  windowMs,
} from './lane-health.ts';

// The part of settling that is about lanes. `settled` has the deliveries of a batch whose results were recorded, one row each.

/** What they come to for each lane. */
export const tally = sql`
      select webhook_id, workspace_id, count(*)::int as given_back,
        count(*) filter (where is_attempt)::int as attempts,
        count(*) filter (where is_attempt and error is null)::int as successes,
        count(*) filter (where is_attempt and error is not null)::int as failures,
        count(*) filter (where is_unanswered)::int as unanswered,
        bool_and(is_prompt) filter (where is_attempt) as is_prompt,
        bool_or(is_probe and is_attempt and error is not null) as has_probe_failed,
        sum(duration_ms) filter (where is_attempt) as total_ms,
        max(duration_ms) filter (where is_attempt) as max_ms,
        now() + max(pause_ms) * interval '1 millisecond' as paused_until,
        -- Where a batch has both, 503 counts.
        case max(status) filter (where pause_ms is not null)
          when 429 then 'rate_limited' when 503 then 'unavailable' end as pause_reason,
        min(due_at) as due_at
      from settled group by webhook_id, workspace_id`;

/** Adds that of a row of `tally` to the statistics of this hour. */
export const addToHour = sql`
      insert into lane_hour (webhook_id, workspace_id, hour, attempts, failures, total_ms, max_ms)
      select webhook_id, workspace_id, date_trunc('hour', now(), 'UTC'), attempts, failures, total_ms, max_ms
      from tally where attempts > 0
      on conflict (webhook_id, hour) do update set attempts = lane_hour.attempts + excluded.attempts,
        failures = lane_hour.failures + excluded.failures, total_ms = lane_hour.total_ms + excluded.total_ms,
        max_ms = greatest(lane_hour.max_ms, excluded.max_ms)
        where lane_hour.workspace_id = excluded.workspace_id`;

const isWindowOver = sql<boolean>`lane.window_started_at < now() - ${milliseconds(windowMs)}`;

/** Until its breaker is opened for longer, nobody tries a lane again whose probe has failed, also if whoever is to open it dies. */
const probeFailedUntil = sql`case
          when tally.has_probe_failed and lane.openings > 0 then now() + ${milliseconds(pauseMsMin)} end`;

const pausedUntil = sql<Date | null>`greatest(lane.paused_until, tally.paused_until, ${probeFailedUntil})`;

/**
 * Adds it to what the lane has counted, which says how many may be under way next and when something can be taken. What
 * follows from it for the breaker and the webhook is up to `startFollowingUp`, for which it returns what it has come to.
 */
export const countInLane = sql`
      update lane set
        is_full = false,
        under_way = greatest(0, lane.under_way - tally.given_back),
        paused_until = ${pausedUntil},
        pause_reason = case ${pausedUntil}
          when lane.paused_until then lane.pause_reason
          when tally.paused_until then tally.pause_reason end,
        ready_at = case
          -- What is put off here is still to be ended: see endRest.
          when lane.is_ending then null
          when lane.is_full or lane.ready_at is not null or tally.due_at is not null then greatest(
            case when lane.is_full then now() else least(lane.ready_at, tally.due_at) end,
            lane.paused_until, tally.paused_until, ${probeFailedUntil}, lane.next_token_at) end,
        is_prompt = coalesce(tally.is_prompt, lane.is_prompt),
        in_flight_max = case
          when lane.openings > 0 then lane.in_flight_max
          when tally.unanswered > 0
            then greatest(${sql.lit(inFlightFirst)}, lane.in_flight_max / ${sql.lit(inFlightDivisor)})
          else least(${sql.lit(inFlightLimit)}, lane.in_flight_max + tally.successes) end,
        unanswered = case
          when tally.attempts = 0 then lane.unanswered
          when tally.unanswered = tally.attempts then lane.unanswered + tally.unanswered
          else 0 end,
        window_started_at = case when ${isWindowOver} then now() else lane.window_started_at end,
        window_attempts = tally.attempts + case when ${isWindowOver} then 0 else lane.window_attempts end,
        window_failures = tally.failures + case when ${isWindowOver} then 0 else lane.window_failures end,
        last_success_at = case when tally.successes > 0 then now() else lane.last_success_at end,
        failing_since = case
          when tally.successes > 0 then null
          when tally.failures > 0 then coalesce(lane.failing_since, now())
          else lane.failing_since end,
        failing_again_at = case
          when tally.successes > 0 then null
          when tally.failures > 0 and lane.failing_since <= now() - ${milliseconds(failuresApartMs)}
            then coalesce(lane.failing_again_at, now())
          else lane.failing_again_at end
      from tally where lane.webhook_id = tally.webhook_id and lane.workspace_id = tally.workspace_id
      returning lane.webhook_id, lane.workspace_id, lane.openings, lane.unanswered,
        lane.window_attempts, lane.window_failures, lane.failing_since, old.failing_again_at, lane.warned_for,
        coalesce(lane.ready_at <= now(), false) as is_ready, tally.successes > 0 as has_succeeded,
        tally.has_probe_failed`;

/** An interval of so many. */
function milliseconds(number: number): RawBuilder<unknown> {
  return sql`${sql.lit(number)} * interval '1 millisecond'`;
}
