import { uuids } from '@parley/postgres/arrays';
import { type RawBuilder, sql } from 'kysely';
import { lanesSeenMax } from './claim-lanes.ts';
import { cap } from './lane-cap-sql.ts';

// The part of a claim that is about lanes: whose turn it is, how much each may have, and when it is their turn again.

/** The ready lanes of a class that were served longest ago; those of some workspaces are left out. */
export function readyLanes(isPrompt: boolean, limit: number, withoutWorkspaces: readonly string[]) {
  return sql`
    select *, row_number() over (partition by workspace_id order by ready_at) as place from (
      select webhook_id, workspace_id, ready_at, xmin as version
      from lane where is_prompt = ${sql.raw(String(isPrompt))} and ready_at <= now()
        and workspace_id <> all(${uuids(withoutWorkspaces)}::uuid[])
      order by ready_at limit ${limit}) as first`;
}

/**
 * Of the lanes in a CTE of `readyLanes`, so many, locked: of each workspace one before there is a second of any. Those of
 * some workspaces come last. Only where the row is the one that this statement sees: to another, deliveries that it does not
 * see may have been added, and its ready_at must not be moved on.
 */
export function lockedLanes(seen: 'prompt_seen' | 'other_seen', limit: number, last: readonly string[]) {
  return sql`
    select lane.webhook_id, lane.workspace_id, lane.ready_at, is_prompt as is_prompt_lane, openings > 0 as is_probe,
      ${cap} as cap, under_way, lapses_at,
      coalesce(lapses_at <= now(), false) as has_lapsed, rate_per_second, rate_burst, next_token_at,
      case when rate_per_second is not null then least(
        rate_burst, floor(extract(epoch from now() - next_token_at) * rate_per_second) + 1) end as tokens
    from ${sql.ref(seen)} as seen join lane on lane.webhook_id = seen.webhook_id and lane.xmin = seen.version
    order by seen.workspace_id = any(${uuids(last)}::uuid[]), seen.place, seen.ready_at
    limit ${limit} for update of lane skip locked`;
}

/**
 * Of the lanes in `prompt` and `other`, how many deliveries each may offer (`room`): no more than it may have under way and
 * has tokens for, and none while leases of it have to be given back.
 */
export function rooms({
  slots,
  slowSlots,
  hanging,
}: {
  slots: number;
  slowSlots: number;
  hanging: readonly string[];
}) {
  return sql`
    with seen_lane as (
      select lane.*, lane.is_prompt_lane and lane.webhook_id <> all(${uuids(hanging)}::uuid[]) as is_prompt
      from (select * from prompt union all select * from other) as lane
    ), able as (
      select *, under_way < cap and not has_lapsed and (is_prompt or ${slowSlots}::int > 0) as can_have
      from seen_lane
    ), ranked as (
      select *, dense_rank() over (partition by is_prompt order by can_have desc, workspace_id) as workspace_rank
      from able
    ), shared as (
      -- An equal share of its workspace's equal share, and one: what is looked at does not grow with what is due.
      select *, case when can_have then
          case when is_prompt then ${slots}::int else ${slowSlots}::int end
            / (max(workspace_rank) filter (where can_have) over (partition by is_prompt)
              * count(*) filter (where can_have) over (partition by is_prompt, workspace_id)) + 1
          else 1 end as share
      from ranked
    )
    select *, case when has_lapsed then 0 else greatest(0, least(cap - under_way, tokens, share)) end::int as room
    from shared`;
}

/** The `next_token_at` of a lane with `tokens`, of which `got` were taken. */
const tokenAfter = sql`
        case when tokens is null or got = 0 then next_token_at
          else greatest(next_token_at, now() - ${microseconds('floor', sql`rate_burst - 1`)})
            + ${microseconds('ceil', sql`got`)} end`;

/**
 * What a claim makes of each lane in `ready` of which leases need not be given back: of what was `due` it `got` so much, as
 * `counts` says. `leaseEnd` is that of the leases that were given now.
 */
export function laneAfter(leaseEnd: RawBuilder<Date>) {
  return sql`
      select *,
        under_way + got >= cap as is_full,
        webhook_id = any(array(select webhook_id from put_off)) as has_put_off,
        least(lapses_at, case when got > 0 then ${leaseEnd} end) as lapses_after,
        ${tokenAfter} as token_after
      from (
        select ready.*, coalesce(counts.due, 0) as due, coalesce(counts.got, 0) as got
        from ready left join counts on counts.webhook_id = ready.webhook_id
        where not has_lapsed
      ) as each`;
}

/**
 * Writes what a claim has made of lanes, and when it is their turn again: now, when there is more and it may be had, and else
 * with the next delivery that becomes due. A lane of which something was due and nothing was taken keeps its place.
 */
export const writeLanes = sql`
      update lane set
        served_at = case when after.got > 0 then now() else lane.served_at end,
        is_full = after.is_full,
        under_way = lane.under_way + after.got,
        lapses_at = after.lapses_after,
        next_token_at = after.token_after,
        ready_at = case
          when not after.is_full and (after.due > after.got or after.got = after.room)
            then greatest(now(), after.token_after)
          else least(
            after.lapses_after,
            case when not after.is_full then (
              select open_delivery.due_at from open_delivery
              where open_delivery.webhook_id = after.webhook_id and open_delivery.due_at > now()
              order by open_delivery.due_at limit 1) end) end
      from lane_after as after
      where lane.webhook_id = after.webhook_id and (after.got > 0 or after.has_put_off or after.due = 0)
      returning lane.webhook_id, lane.ready_at, lane.ready_at <= now() as is_ready`;

/**
 * What is to be expected of the next claim: `is_more`, when it may find something at once; `again_in_ms`, after which a lane
 * becomes ready by itself, null when none does; and `lanes_seen`, how many prompt lanes are ready, as far as this one saw.
 * The parameters are how many lanes of a class it could see and lock.
 */
export function outlook({
  promptSeen,
  promptLanes,
  otherLanes,
}: {
  promptSeen: number;
  promptLanes: number;
  otherLanes: number;
}) {
  return sql`
      select lanes_seen, exists (select from written) and (
          exists (select from written where is_ready)
          or locked_lanes >= ${promptLanes}
          or (select count(*) from other) >= greatest(${otherLanes}::int, 1)
          or lanes_seen >= ${promptSeen}
          or ${otherLanes}::int > 0 and (select count(*) from other_seen) >= ${lanesSeenMax}) as is_more,
        case
          -- Other workers hold those that are seen: behind them there may be more.
          when lanes_seen >= ${promptSeen} and locked_lanes < ${promptLanes} and not exists (select from written) then 0
          -- What waits for an earlier one is due at infinity, so not by itself; and JSON has no infinity.
          else nullif((select extract(epoch from min(ready_at) - now())::float8 * 1000 from (
            (select ready_at from written where ready_at > now())
            union all (${nextReadyAt(true)}) union all (${nextReadyAt(false)})) as later), 'infinity') end as again_in_ms
      from (
        select (select count(*)::int from prompt_seen) as lanes_seen, (select count(*)::int from prompt) as locked_lanes
      ) as counted`;
}

/** When the first lane of a class becomes ready that is not. */
function nextReadyAt(isPrompt: boolean) {
  return sql`
    select ready_at from lane where is_prompt = ${sql.raw(String(isPrompt))} and ready_at > now()
    order by ready_at limit 1`;
}

/** The time in which so many tokens come, in whole microseconds: rounded such that none comes too soon. */
function microseconds(round: 'floor' | 'ceil', tokens: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${sql.raw(round)}((${tokens}) * 1e6 / rate_per_second) * interval '1 microsecond'`;
}
