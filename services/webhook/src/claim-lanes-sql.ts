import { uuids } from '@parley/postgres/arrays';
import { type RawBuilder, sql } from 'kysely';

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
      case when openings > 0 then 1 else in_flight_max end as cap, under_way, lapses_at,
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

/** The `next_token_at` of a row of `rooms` of which `got` were taken. */
export const tokenAfter = sql`
        case when tokens is null or got = 0 then next_token_at
          else greatest(next_token_at, now() - ${microseconds('floor', sql`rate_burst - 1`)})
            + ${microseconds('ceil', sql`got`)} end`;

/** The time in which so many tokens come, in whole microseconds: rounded such that none comes too soon. */
function microseconds(round: 'floor' | 'ceil', tokens: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${sql.raw(round)}((${tokens}) * 1e6 / rate_per_second) * interval '1 microsecond'`;
}

/** When the first lane of a class becomes ready that is not. */
export function nextReadyAt(isPrompt: boolean) {
  return sql`
    select ready_at from lane where is_prompt = ${sql.raw(String(isPrompt))} and ready_at > now()
    order by ready_at limit 1`;
}
