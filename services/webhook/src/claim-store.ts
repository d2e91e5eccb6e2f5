import { integers, uuids } from '@parley/postgres/arrays';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
import { lanesMax } from './claim-lanes.ts';
import { lockedLanes, nextReadyAt, readyLanes, rooms, tokenAfter } from './claim-lanes-sql.ts';
import { inLine, lineOrder } from './ordering-sql.ts';
import type { Tables } from './schema.ts';

/** A delivery that this worker has for the time of a lease, with all that an attempt needs. */
export interface Claimed {
  id: string;
  workspaceId: string;
  webhookId: string;
  eventId: string;
  leaseToken: string;
  /** The number of the attempt to make, from 1. */
  attempt: number;
  /** Milliseconds since 1970. */
  createdAtMs: number;
  /** Since when it has been due, in the same way. */
  dueAtMs: number;
  isPrompt: boolean;
  isProbe: boolean;
  /** Null when it need not wait for others: see `OpenDeliveryTable`. */
  orderingKey: string | null;
  /** The public name of the event; null: the webhook's own. */
  eventName: string | null;
  body: Buffer;
  traceparent: string | null;
  target: Target;
}

/** Where the deliveries of a webhook go, and what they carry: one for all that are taken at once. */
export interface Target {
  webhookId: string;
  workspaceId: string;
  /** Its lane is one of those that answer soon. */
  isPrompt: boolean;
  /** The breaker is open: whether the receiver is back is found out by this delivery. */
  isProbe: boolean;
  url: string;
  /** The public name of its event. */
  event: string;
  /** Sealed, as are the header fields, the signing secrets and the private keys, newest first. */
  secretToken: string;
  headers: string | null;
  signingSecrets: string[];
  privateKeys: string[];
}

/** What a worker has room for. */
export interface Claim {
  leaseToken: string;
  leaseMs: number;
  slots: number;
  /** Of these, for workspaces of which this worker has few. */
  reserved: number;
  /** Of all, for lanes that are not prompt. */
  slowSlots: number;
  /** Of how many prompt lanes to take: see `nextLanes`. */
  lanes: number;
  /** Webhooks that are waited for right now: they are not prompt, whatever their lanes say. */
  hanging: readonly string[];
  /** How many deliveries of which workspaces this worker has already. */
  held: ReadonlyMap<string, number>;
  /** How many one workspace may have before others come first. */
  workspaceSlots: number;
  /** How many are few. */
  fewSlots: number;
}

/** How many of a webhook's live secrets of a kind sign: a header has to stay of a size that every server takes. */
export const signingSecretsMax = 10;

interface ClaimedBatch {
  deliveries: Claimed[];
  /** Something was done, and there may be more to do at once. */
  isMore: boolean;
  /** In how many milliseconds the next lane becomes ready; null when none will by itself. */
  againInMs: number | null;
  /** How many prompt lanes are ready, as far as a claim sees them. */
  lanesSeen: number;
  /** Webhooks with leases that have run out, of which nothing is taken before they are given back: see `giveBackLapsed`. */
  lapsed: string[];
}

/**
 * Takes due deliveries: of the lanes that are ready, those that were served longest ago (of prompt ones one of each workspace
 * first), and of these, of those with the fewest under way. Of a lane no more than it may have under way, and than it has
 * tokens for. Never waits; none that another worker has can be taken. What has to wait for an earlier one with its ordering
 * key is put off.
 */
export async function claimDue(db: Kysely<Tables>, claim: Claim): Promise<ClaimedBatch> {
  // Those that hang keep their places: behind them must be found who does not.
  const promptSeen = lanesMax + claim.hanging.length;
  const promptLanes = Math.min(claim.lanes, claim.slots) + claim.hanging.length;
  const otherLanes = Math.min(lanesMax, claim.slowSlots);
  // While all slots are reserved, others than those with few are not even looked at: they may be many.
  const excluded = claim.reserved < claim.slots ? [] : heldBy(claim.held, claim.fewSlots);
  const shareMax = claim.reserved > 0 ? claim.fewSlots : claim.workspaceSlots;
  const last = heldBy(claim.held, shareMax);
  const leaseEnd = sql`now() + ${claim.leaseMs} * interval '1 millisecond'`;
  // `= any(array(...))` keeps the planner at one index look-up per row, however large the tables are.
  const { rows } = await sql<Found>`
    ${acrossWorkspaces('workers deliver whatever is due')}
    with prompt_seen as materialized (${readyLanes(true, promptSeen, excluded)}
    ), other_seen as materialized (${readyLanes(false, lanesMax, excluded)}
    ), prompt as materialized (${lockedLanes('prompt_seen', promptLanes, last)}
    ), other as materialized (${lockedLanes('other_seen', otherLanes, [])}
    ), ready as materialized (${rooms(claim)}
    ), candidate as materialized (
      select ready.webhook_id, ready.workspace_id, ready.is_prompt, ready.ready_at, due.id,
        ready.under_way + row_number() over (partition by ready.webhook_id order by due.due_at) as turn,
        case when due.ordering_key is not null then (${blockedUntil}) end as blocked_until
      from ready cross join lateral (
        select id, due_at, ordering_key from open_delivery
        where webhook_id = ready.webhook_id and due_at <= now() and state = 'pending' and lease_token is null
        order by due_at limit ready.room
      ) as due
    ), chosen as (
      select id from (
        select id, place_in_workspace,
          row_number() over (order by place_in_workspace > ${shareMax}, turn, ready_at) as place
        from (
          select candidate.*,
            row_number() over (partition by is_prompt order by turn, ready_at) as place_in_class,
            row_number() over (partition by candidate.workspace_id order by turn, ready_at)
              + coalesce(held.number, 0) as place_in_workspace
          from candidate left join unnest(${uuids([...claim.held.keys()])}::uuid[], ${integers([...claim.held.values()])}::int[])
            as held (workspace_id, number) on held.workspace_id = candidate.workspace_id
          where candidate.blocked_until is null
        ) as placed
        where is_prompt or place_in_class <= ${claim.slowSlots}
      ) as ordered
      where place <= ${claim.slots}::int - case when place_in_workspace > ${claim.fewSlots} then ${claim.reserved}::int else 0 end
    ), taken as (
      update open_delivery set lease_token = ${claim.leaseToken}, lease_end = ${leaseEnd}
      where id = any(array(select chosen.id from chosen)) and lease_token is null
      returning id, webhook_id, event_id, attempts, created_at, due_at, ordering_key
    ), put_off as (
      update open_delivery set due_at = candidate.blocked_until
      from candidate
      where open_delivery.id = any(array(select candidate.id from candidate where blocked_until is not null))
        and candidate.id = open_delivery.id and lease_token is null
      returning open_delivery.webhook_id
    ), target as (
      select json_agg(json_build_object('webhookId', id, 'workspaceId', webhook.workspace_id, 'isPrompt', is_prompt,
        'isProbe', is_probe, 'url', url, 'event', event, 'secretToken', secret_token, 'headers', headers,
        'signingSecrets', ${liveSecrets('hmac')},
        'privateKeys', case when is_asymmetric then ${liveSecrets('ed25519')} else '{}' end)) as targets
      from webhook join ready on ready.webhook_id = webhook.id
      where is_active and id = any(array(select webhook_id from taken))
    ), counts as materialized (
      select webhook_id, count(*) filter (where not is_got)::int as due, count(*) filter (where is_got)::int as got
      from (
        select webhook_id, false as is_got from candidate union all select webhook_id, true from taken
      ) as each group by webhook_id
    ), lane_after as materialized (
      select *,
        under_way + got >= cap as is_full,
        webhook_id = any(array(select webhook_id from put_off)) as has_put_off,
        least(lapses_at, case when got > 0 then ${leaseEnd} end) as lapses_after,
        ${tokenAfter} as token_after
      from (
        select ready.*, coalesce(counts.due, 0) as due, coalesce(counts.got, 0) as got
        from ready left join counts on counts.webhook_id = ready.webhook_id
        where not has_lapsed
      ) as each
    ), served as (
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
      -- Whoever got nothing this time keeps the place.
      from lane_after as after
      where lane.webhook_id = after.webhook_id and (after.got > 0 or after.has_put_off or after.due = 0)
      returning lane.webhook_id, lane.ready_at, lane.ready_at <= now() as is_ready
    ), seen as (
      select lanes_seen, exists (select from served) and (
          exists (select from served where is_ready)
          or locked_lanes >= ${promptLanes}
          or (select count(*) from other) >= greatest(${otherLanes}::int, 1)
          or lanes_seen >= ${promptSeen}
          or ${otherLanes}::int > 0 and (select count(*) from other_seen) >= ${lanesMax}) as is_more,
        case
          -- Other workers hold those that are seen: behind them there may be more.
          when lanes_seen >= ${promptSeen} and locked_lanes < ${promptLanes} and not exists (select from served) then 0
          else (select extract(epoch from min(ready_at) - now())::float8 * 1000 from (
            (select ready_at from served where ready_at > now())
            union all (${nextReadyAt(true)}) union all (${nextReadyAt(false)})) as later) end as again_in_ms
      from (
        select (select count(*)::int from prompt_seen) as lanes_seen, (select count(*)::int from prompt) as locked_lanes
      ) as counted
    )
    select seen.is_more, seen.again_in_ms, seen.lanes_seen,
      array(select webhook_id from ready where has_lapsed) as lapsed, target.targets,
      null::uuid as id, null::uuid as webhook_id, null::uuid as event_id, null::int as attempt,
      null::float8 as created_at_ms, null::float8 as due_at_ms, null as ordering_key, null as event_name, null as body, null as traceparent
    from seen cross join target
    union all
    select null, null, null, null, null, taken.id, taken.webhook_id, taken.event_id, taken.attempts + 1,
      1000 * date_part('epoch', taken.created_at), 1000 * date_part('epoch', taken.due_at), taken.ordering_key,
      event.name, convert_from(event.body, 'UTF8'), event.traceparent
    from taken join event on event.id = taken.event_id`.execute(db);
  const summary = rows.find((row) => row.id === null);
  const targets = new Map(summary?.targets?.map((target) => [target.webhookId, target]));
  const deliveries: Claimed[] = [];
  for (const row of rows) {
    // Without a target its webhook is not active: it is finished, by whoever deactivated it.
    const target = row.id !== null && targets.get(row.webhookId);
    if (target) deliveries.push(claimedOf(row, target, claim.leaseToken));
  }
  const { isMore = false, againInMs = null, lanesSeen = 0, lapsed = [] } = summary ?? {};
  return { deliveries, isMore, againInMs, lanesSeen, lapsed };
}

/** The workspaces of which a worker has at least so many. */
function heldBy(held: Claim['held'], least: number): string[] {
  return [...held].filter(([, number]) => number >= least).map(([workspaceId]) => workspaceId);
}

/** A row of a claim: of one delivery, or, once, of all. */
type Found = TakenRow | SummaryRow;

interface SummaryRow extends Omit<ClaimedBatch, 'deliveries'> {
  id: null;
  targets: Target[] | null;
}

interface TakenRow
  extends Omit<Claimed, 'target' | 'leaseToken' | 'workspaceId' | 'isPrompt' | 'isProbe' | 'body'> {
  targets: null;
  /** As text, which all stored ones are (see `storedBody`): as bytes Postgres would send two digits for each. */
  body: string;
}

function claimedOf(row: TakenRow, target: Target, leaseToken: string): Claimed {
  return {
    id: row.id,
    workspaceId: target.workspaceId,
    webhookId: row.webhookId,
    eventId: row.eventId,
    leaseToken,
    attempt: row.attempt,
    createdAtMs: row.createdAtMs,
    dueAtMs: row.dueAtMs,
    isPrompt: target.isPrompt,
    isProbe: target.isProbe,
    orderingKey: row.orderingKey,
    eventName: row.eventName,
    body: Buffer.from(row.body),
    traceparent: row.traceparent,
    target,
  };
}

/**
 * Until when a candidate has to wait for an earlier delivery with its key: as long as that is pending, and when it was ended
 * under its worker, as long as that may be sending it. Null when there is none.
 */
const blockedUntil = sql`
  select case when earlier.state = 'pending' then 'infinity' else earlier.lease_end end
  from open_delivery as earlier
  where ${inLine('earlier', { webhookId: sql`ready.webhook_id`, key: sql`due.ordering_key` }, { before: sql`due.id` })}
    and (earlier.state = 'pending' or earlier.lease_end > now())
  order by ${lineOrder('earlier', 'desc')} limit 1`;

/** The secrets of a webhook with which a delivery is signed now. */
function liveSecrets(kind: 'hmac' | 'ed25519') {
  return sql`array(
        select signing_secret.secret from signing_secret
        where signing_secret.webhook_id = webhook.id and signing_secret.kind = ${sql.raw(`'${kind}'`)}
          and (signing_secret.expires_at is null or signing_secret.expires_at > now())
        order by signing_secret.created_at desc limit ${signingSecretsMax}
      )`;
}
