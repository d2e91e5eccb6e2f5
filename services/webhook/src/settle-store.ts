import { booleans, byteStrings, floats, instants, integers, texts, uuids } from '@parley/postgres/arrays';
import { type Kysely, sql } from 'kysely';
import type { AttemptResult } from './attempt.ts';
import type { Claimed } from './claim-store.ts';
import { deactivateGone, endOpen } from './end-store.ts';
import { isPromptResult, isUnanswered, type LaneAfter } from './lane-health.ts';
import { releaseNext } from './ordering-store.ts';
import type { Tables } from './schema.ts';
import type { Verdict } from './verdict.ts';

type Db = Kysely<Tables>;

/** What became of a claimed delivery. */
export interface Outcome {
  delivery: Pick<Claimed, 'id' | 'workspaceId' | 'webhookId' | 'leaseToken' | 'isProbe' | 'orderingKey'>;
  verdict: Verdict;
  /** Null when nothing was sent, for a reason of ours: no attempt is counted. */
  result: AttemptResult | null;
  /** How long the receiver wants its whole webhook to wait; no attempt is counted. Null when it does not say. */
  pauseMs: number | null;
}

/** What a batch of results has made of the lanes that it was about. */
export interface Settled {
  /** The deliveries whose results were not recorded: their leases had passed to others, or they are no more. */
  lateIds: string[];
  lanes: SettledLane[];
}

export interface SettledLane extends LaneAfter {
  webhookId: string;
  workspaceId: string;
  /** Something can be taken at once. */
  isReady: boolean;
  inFlightMax: number;
}

/**
 * Records outcomes in one statement: each delivery is finished or put off, its attempt gets a row, and its lane counts it.
 * What was ended meanwhile, because its webhook was deactivated or deleted, stays ended, unless it turns out to have
 * succeeded. A receiver that is gone deactivates its webhook in the same transaction; so does what waited for one of
 * these become due.
 */
export async function settle(db: Db, outcomes: readonly Outcome[]): Promise<Settled> {
  const gone = outcomes.filter(({ verdict }) => verdict.state === 'failed' && verdict.isGone);
  const ordered = outcomes.flatMap(({ delivery: { orderingKey, ...delivery }, verdict }) =>
    orderingKey === null || verdict.state === 'pending' ? [] : [{ ...delivery, orderingKey }],
  );
  if (gone.length === 0 && ordered.length === 0) return write(db, outcomes);
  return db.transaction().execute(async (trx) => {
    const deactivated =
      gone.length === 0
        ? []
        : await deactivateGone(
            trx,
            gone.map(({ delivery }) => delivery),
          );
    const settled = await write(trx, outcomes);
    if (deactivated.length > 0) await endOpen(trx, deactivated, 'skipped');
    if (ordered.length === 0) return settled;
    const released = await releaseNext(trx, ordered);
    const lanes = settled.lanes.map((lane) => ({
      ...lane,
      isReady: lane.isReady || released.has(lane.webhookId),
    }));
    return { ...settled, lanes };
  });
}

async function write(db: Db, outcomes: readonly Outcome[]): Promise<Settled> {
  const deliveries = outcomes.map(({ delivery }) => delivery);
  const workspaceIds = uuids(deliveries.map((delivery) => delivery.workspaceId));
  const attempts = outcomes.map(({ result, pauseMs }) => (pauseMs === null ? result : null));
  const { rows } = await sql<(SettledLane | { webhookId: null }) & { lateIds: string[] | null }>`
    with outcome as (
      select * from unnest(
        ${uuids(deliveries.map((delivery) => delivery.id))}::uuid[],
        ${workspaceIds}::uuid[],
        ${uuids(deliveries.map((delivery) => delivery.webhookId))}::uuid[],
        ${uuids(deliveries.map((delivery) => delivery.leaseToken))}::uuid[],
        ${booleans(deliveries.map((delivery) => delivery.isProbe))}::boolean[],
        ${texts(outcomes.map(({ verdict }) => verdict.state))}::text[],
        ${floats(outcomes.map(({ verdict }) => (verdict.state === 'pending' ? verdict.delayMs : 0)))}::float8[],
        ${floats(outcomes.map(({ pauseMs }) => pauseMs))}::float8[],
        ${booleans(attempts.map((result) => result !== null))}::boolean[],
        ${booleans(attempts.map((result) => result !== null && isUnanswered(result)))}::boolean[],
        ${booleans(attempts.map((result) => result !== null && isPromptResult(result)))}::boolean[],
        ${instants(attempts.map((result) => result?.startedAt ?? null))}::timestamptz[],
        ${integers(attempts.map((result) => result?.durationMs ?? null))}::int[],
        ${integers(attempts.map((result) => result?.latency.dnsMs ?? null))}::int[],
        ${integers(attempts.map((result) => result?.latency.connectMs ?? null))}::int[],
        ${integers(attempts.map((result) => result?.latency.tlsMs ?? null))}::int[],
        ${integers(attempts.map((result) => result?.latency.firstByteMs ?? null))}::int[],
        ${integers(attempts.map((result) => result?.status ?? null))}::int[],
        ${texts(attempts.map((result) => result?.error ?? null))}::text[],
        ${byteStrings(attempts.map((result) => (result && result.excerpt.length > 0 ? result.excerpt : null)))}::bytea[]
      ) as outcome (id, workspace_id, webhook_id, lease_token, is_probe, verdict, delay_ms, pause_ms, is_attempt,
        is_unanswered, is_prompt, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, status, error,
        excerpt)
    ), locked as materialized (
      select lane.webhook_id, lane.workspace_id from lane
      where lane.workspace_id = any(${workspaceIds}::uuid[])
        and lane.webhook_id = any(array(select outcome.webhook_id from outcome))
      order by lane.webhook_id for update
    ), held as materialized (
      select open_delivery.* from locked
      join outcome on outcome.webhook_id = locked.webhook_id and outcome.workspace_id = locked.workspace_id
      join open_delivery on open_delivery.id = outcome.id and open_delivery.workspace_id = outcome.workspace_id
      where open_delivery.lease_token = outcome.lease_token
      order by open_delivery.id for update of open_delivery
    ), settled as materialized (
      select held.id, held.workspace_id, held.webhook_id, held.event_id, held.is_redacted, held.created_at,
        held.lease_token,
        held.attempts + outcome.is_attempt::int as attempts,
        case when outcome.verdict = 'succeeded' or held.state = 'pending' then outcome.verdict else held.state end
          as state,
        now() + outcome.delay_ms * interval '1 millisecond' as due_at,
        outcome.is_probe, outcome.pause_ms, outcome.is_attempt, outcome.is_unanswered, outcome.is_prompt,
        outcome.started_at, outcome.duration_ms, outcome.dns_ms, outcome.connect_ms, outcome.tls_ms,
        outcome.first_byte_ms, outcome.status, outcome.error,
        case when held.is_redacted then null else outcome.excerpt end as excerpt
      from held join outcome on outcome.id = held.id and outcome.lease_token = held.lease_token
    ), put_off as (
      -- With its state: what is seen of the row may be from before its webhook was activated, and would be no valid row.
      update open_delivery set state = 'pending', attempts = settled.attempts, due_at = settled.due_at,
        lease_token = null, lease_end = null
      from settled
      where open_delivery.id = settled.id and open_delivery.workspace_id = settled.workspace_id
        and settled.state = 'pending'
    ), removed as (
      delete from open_delivery
      where open_delivery.id = any(array(select settled.id from settled where settled.state <> 'pending'))
        and open_delivery.workspace_id = any(${workspaceIds}::uuid[])
    ), finished as (
      insert into finished_delivery
        (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at)
      select id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at
      from settled where state <> 'pending'
    ), logged as (
      insert into attempt (delivery_id, number, workspace_id, started_at, duration_ms, dns_ms, connect_ms, tls_ms,
        first_byte_ms, status, error, response_excerpt)
      select id, attempts, workspace_id, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, status,
        error, excerpt
      from settled where is_attempt
    ), tally as (
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
        min(due_at) filter (where state = 'pending') as due_at
      from settled group by webhook_id, workspace_id
    ), by_hour as (
      insert into lane_hour (webhook_id, workspace_id, hour, attempts, failures, total_ms, max_ms)
      select webhook_id, workspace_id, date_trunc('hour', now(), 'UTC'), attempts, failures, total_ms, max_ms
      from tally where attempts > 0
      on conflict (webhook_id, hour) do update set attempts = lane_hour.attempts + excluded.attempts,
        failures = lane_hour.failures + excluded.failures, total_ms = lane_hour.total_ms + excluded.total_ms,
        max_ms = greatest(lane_hour.max_ms, excluded.max_ms)
        where lane_hour.workspace_id = excluded.workspace_id
    ), counted as (
      update lane set
        is_full = false,
        under_way = greatest(0, lane.under_way - tally.given_back),
        paused_until = greatest(lane.paused_until, tally.paused_until),
        ready_at = case
          -- What is put off here is still to be ended: see endRest.
          when lane.is_ending then null
          when lane.is_full or lane.ready_at is not null or tally.due_at is not null then greatest(
            case when lane.is_full then now() else least(lane.ready_at, tally.due_at) end,
            lane.paused_until, tally.paused_until, lane.next_token_at) end,
        is_prompt = coalesce(tally.is_prompt, lane.is_prompt),
        in_flight_max = case
          when lane.openings > 0 then lane.in_flight_max
          when tally.unanswered > 0 then greatest(1, lane.in_flight_max / 2)
          else least(32, lane.in_flight_max + tally.successes) end,
        unanswered = case
          when tally.attempts = 0 then lane.unanswered
          when tally.unanswered = tally.attempts then lane.unanswered + tally.unanswered
          else 0 end,
        window_started_at = case
          when lane.window_started_at < now() - interval '5 minutes' then now() else lane.window_started_at end,
        window_attempts = tally.attempts + case
          when lane.window_started_at < now() - interval '5 minutes' then 0 else lane.window_attempts end,
        window_failures = tally.failures + case
          when lane.window_started_at < now() - interval '5 minutes' then 0 else lane.window_failures end,
        last_success_at = case when tally.successes > 0 then now() else lane.last_success_at end,
        failing_since = case
          when tally.successes > 0 then null
          when tally.failures > 0 then coalesce(lane.failing_since, now())
          else lane.failing_since end,
        failing_again_at = case
          when tally.successes > 0 then null
          when tally.failures > 0 and lane.failing_since <= now() - interval '12 hours'
            then coalesce(lane.failing_again_at, now())
          else lane.failing_again_at end
      from tally where lane.webhook_id = tally.webhook_id and lane.workspace_id = tally.workspace_id
      returning lane.webhook_id, lane.workspace_id, lane.in_flight_max, lane.openings, lane.unanswered,
        lane.window_attempts, lane.window_failures, lane.failing_since, old.failing_again_at, lane.warned_for,
        coalesce(lane.ready_at <= now(), false) as is_ready, tally.successes > 0 as has_succeeded,
        tally.has_probe_failed
    )
    select late.ids as late_ids, counted.* from (
      select array_agg(outcome.id) as ids from outcome
      where not exists (
        select from settled where settled.id = outcome.id and settled.lease_token = outcome.lease_token)
    ) as late left join counted on true`.execute(db);
  const lanes = rows.filter((row): row is SettledLane & (typeof rows)[number] => row.webhookId !== null);
  return { lateIds: rows[0]?.lateIds ?? [], lanes };
}
