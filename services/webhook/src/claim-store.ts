import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { inLine, lineOrder } from './ordering.ts';
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
  createdAt: Date;
  /** Since when it has been due. */
  dueAt: Date;
  /** Its lane is one of those that answer soon. */
  isPrompt: boolean;
  /** The breaker is open: whether the receiver is back is found out by this one. */
  isProbe: boolean;
  /** Null when it need not wait for others: see `OpenDeliveryTable`. */
  orderingKey: string | null;
  url: string;
  /** The public name of the event. */
  event: string;
  /** Sealed, as are the header fields, the signing secrets and the private keys, newest first. */
  secretToken: string;
  headers: string | null;
  signingSecrets: string[];
  privateKeys: string[];
  body: Buffer;
  traceparent: string | null;
}

/** What a worker has room for. */
export interface Claim {
  leaseToken: string;
  leaseMs: number;
  slots: number;
  /** Of these, for lanes that are not prompt. */
  slowSlots: number;
  /** Webhooks that are waited for right now: they are not prompt, whatever their lanes say. */
  hanging: readonly string[];
  /** How many deliveries of which workspaces this worker has already. */
  held: ReadonlyMap<string, number>;
  /** How many one workspace may have before others come first. */
  workspaceSlots: number;
}

/** How many of a webhook's live secrets of a kind sign: a header has to stay of a size that every server takes. */
export const signingSecretsMax = 10;
/** How many lanes one claim looks at, prompt ones and others each. */
const lanesMax = 64;

interface ClaimedBatch {
  deliveries: Claimed[];
  /** Something was done, and there may be more to do at once. */
  isMore: boolean;
  /** In how many milliseconds the next lane becomes ready; null when none will by itself. */
  againInMs: number | null;
}

/**
 * Takes due deliveries: of the lanes that are ready, least recently served first, those with the fewest under way. Of
 * a lane no more than it may have under way, and than it has tokens for. Never waits; none that another worker has can be
 * taken until its lease has run out. What has to wait for an earlier one with its ordering key is put off.
 */
export async function claimDue(db: Kysely<Tables>, claim: Claim): Promise<ClaimedBatch> {
  // Those that hang keep their places: behind them must be found who does not.
  const promptLanes = Math.min(lanesMax, claim.slots) + claim.hanging.length;
  const otherLanes = Math.min(lanesMax, claim.slowSlots);
  const leaseEnd = sql`now() + ${claim.leaseMs} * interval '1 millisecond'`;
  // `= any(array(...))` keeps the planner at one index look-up per row, however large the tables are.
  const { rows } = await sql<(Claimed | { id: null }) & Omit<ClaimedBatch, 'deliveries'>>`
    ${acrossWorkspaces('workers deliver whatever is due')}
    with prompt as materialized (
      ${readyLanes(true, promptLanes)}
    ), other as materialized (
      ${readyLanes(false, otherLanes)}
    ), ready as materialized (
      select *,
        -- Four times an equal share: what is looked at does not grow with what is due.
        least(cap - under_way, tokens, case when can_have
          then 4 * ${claim.slots}::int / (count(*) filter (where can_have) over ()) + 1 else 1 end)::int as room
      from (
        select *,
          under_way < cap and (is_prompt or ${claim.slowSlots}::int > 0) as can_have
        from (
          select lane.*, under_way.number as under_way, under_way.lease_end,
            lane.is_prompt_lane and lane.webhook_id <> all(${[...claim.hanging]}::uuid[]) as is_prompt
          from (select * from prompt union all select * from other) as lane
          -- Only where the row is the one that this statement sees: to another, deliveries that it does not see may have
          -- been added, and its ready_at must not be moved on.
          join lane as seen on seen.webhook_id = lane.webhook_id and seen.xmin = lane.version
          cross join lateral (
            select count(*)::int as number, min(due_at) as lease_end from open_delivery
            where webhook_id = lane.webhook_id and lease_token is not null and due_at > now()
          ) as under_way
        ) as counted
      ) as able
    ), candidate as materialized (
      select ready.webhook_id, ready.workspace_id, ready.is_prompt, ready.is_probe, ready.ready_at, due.id, due.due_at,
        ready.under_way + row_number() over (partition by ready.webhook_id order by due.due_at) as turn,
        case when due.ordering_key is not null then (${blockedUntil}) end as blocked_until
      from ready cross join lateral (
        select id, due_at, ordering_key from (
          (select id, due_at, ordering_key from open_delivery
            where webhook_id = ready.webhook_id and lease_token is null and due_at <= now()
            order by due_at limit greatest(ready.room, 0))
          union all
          (select id, due_at, ordering_key from open_delivery
            where webhook_id = ready.webhook_id and lease_token is not null and due_at <= now() and state = 'pending'
            order by due_at limit greatest(ready.room, 0))
        ) as either order by due_at limit greatest(ready.room, 0)
      ) as due
    ), chosen as materialized (
      select id, due_at, is_prompt, is_probe from (
        select candidate.*,
          row_number() over (partition by is_prompt order by turn, ready_at) as place_in_class,
          row_number() over (partition by candidate.workspace_id order by turn, ready_at)
            + coalesce(held.number, 0) as place_in_workspace
        from candidate left join unnest(${[...claim.held.keys()]}::uuid[], ${[...claim.held.values()]}::int[])
          as held (workspace_id, number) on held.workspace_id = candidate.workspace_id
        where candidate.blocked_until is null
      ) as placed
      where is_prompt or place_in_class <= ${claim.slowSlots}
      order by place_in_workspace > ${claim.workspaceSlots}, turn, ready_at limit ${claim.slots}
    ), free as materialized (
      -- Nobody should be in the way, since everybody comes through the lane; a claim does not wait for whoever is.
      select id from open_delivery
      where id = any(array(
          select id from chosen union all select id from candidate where blocked_until is not null))
        and state = 'pending' and (lease_token is null or due_at <= now())
      for update skip locked
    ), taken as (
      update open_delivery set lease_token = ${claim.leaseToken}, due_at = ${leaseEnd}
      where id = any(array(select free.id from free join chosen on chosen.id = free.id))
      returning id, workspace_id, webhook_id, event_id, lease_token, attempts, created_at, ordering_key
    ), put_off as (
      update open_delivery set lease_token = null, due_at = candidate.blocked_until
      from candidate
      where open_delivery.id = any(array(
          select free.id from free join candidate on candidate.id = free.id
          where candidate.blocked_until is not null))
        and candidate.id = open_delivery.id and candidate.blocked_until is not null
      returning open_delivery.webhook_id
    ), target as materialized (
      select id, url, event, secret_token, headers, ${liveSecrets('hmac')} as signing_secrets,
        case when is_asymmetric then ${liveSecrets('ed25519')} else '{}' end as private_keys
      from webhook where is_active and id = any(array(select webhook_id from taken))
    ), counts as materialized (
      select webhook_id, count(*) filter (where not is_got)::int as due, count(*) filter (where is_got)::int as got
      from (
        select webhook_id, false as is_got from candidate union all select webhook_id, true from taken
      ) as each group by webhook_id
    ), lane_after as materialized (
      select ready.*, coalesce(counts.due, 0) as due, coalesce(counts.got, 0) as got,
        ready.under_way + coalesce(counts.got, 0) >= ready.cap as is_full,
        ready.webhook_id = any(array(select webhook_id from put_off)) as has_put_off,
        case when ready.tokens is null or coalesce(counts.got, 0) = 0 then ready.next_token_at
          else greatest(ready.next_token_at, now() - ${microseconds('floor', sql`ready.rate_burst - 1`)})
            + ${microseconds('ceil', sql`counts.got`)} end as token_after
      from ready
      left join counts on counts.webhook_id = ready.webhook_id
    ), served as (
      update lane set
        served_at = case when after.got > 0 then now() else lane.served_at end,
        is_full = after.is_full,
        next_token_at = after.token_after,
        ready_at = case
          when not after.is_full and (after.due > after.got or after.got = after.room)
            then greatest(now(), after.token_after)
          else least(
            after.lease_end,
            case when after.got > 0 then ${leaseEnd} end,
            case when not after.is_full then (
              select open_delivery.due_at from open_delivery
              where open_delivery.webhook_id = after.webhook_id and lease_token is null
                and open_delivery.due_at > now()
              order by open_delivery.due_at limit 1) end) end
      -- Whoever got nothing this time keeps the place.
      from lane_after as after
      where lane.webhook_id = after.webhook_id and (after.got > 0 or after.has_put_off or after.due = 0)
      returning lane.webhook_id, lane.ready_at, lane.ready_at <= now() as is_ready
    ), seen as (
      select exists (select from served) and (
        exists (select from served where is_ready)
        or (select count(*) from prompt) >= ${promptLanes}
        or (select count(*) from other) >= greatest(${otherLanes}::int, 1)) as is_more,
        (select extract(epoch from min(ready_at) - now())::float8 * 1000 from (
          (select ready_at from served where ready_at > now())
          union all (${nextReadyAt(true)}) union all (${nextReadyAt(false)})) as later) as again_in_ms
    )
    select seen.is_more, seen.again_in_ms, taken.id, taken.workspace_id, taken.webhook_id, taken.event_id,
      taken.lease_token, taken.created_at, taken.attempts + 1 as attempt, taken.ordering_key, chosen.due_at,
      chosen.is_prompt, chosen.is_probe, target.url, coalesce(event.name, target.event) as event, target.secret_token,
      target.headers, event.body, event.traceparent, target.signing_secrets, target.private_keys
    from seen left join (
      taken
      join chosen on chosen.id = taken.id
      join target on target.id = taken.webhook_id
      join event on event.id = taken.event_id
    ) on true`.execute(db);
  const deliveries = rows.filter((row): row is Claimed & (typeof rows)[number] => row.id !== null);
  const [{ isMore, againInMs } = { isMore: false, againInMs: null }] = rows;
  return { deliveries, isMore, againInMs };
}

/**
 * Until when a candidate has to wait for an earlier delivery with its key: as long as that is pending, and when it was ended
 * under its worker, as long as that may be sending it. Null when there is none.
 */
const blockedUntil = sql`
  select case when earlier.state = 'pending' then 'infinity' else earlier.due_at end
  from open_delivery as earlier
  where ${inLine('earlier', { webhookId: sql`ready.webhook_id`, key: sql`due.ordering_key` }, { before: sql`due.id` })}
    and (earlier.state = 'pending' or earlier.due_at > now())
  order by ${lineOrder('earlier', 'desc')} limit 1`;

/** The time in which so many tokens come to a ready lane, in whole microseconds: rounded such that none comes too soon. */
function microseconds(round: 'floor' | 'ceil', tokens: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${sql.raw(round)}((${tokens}) * 1e6 / ready.rate_per_second) * interval '1 microsecond'`;
}

/** The secrets of a webhook with which a delivery is signed now. */
function liveSecrets(kind: 'hmac' | 'ed25519') {
  return sql`array(
        select signing_secret.secret from signing_secret
        where signing_secret.webhook_id = webhook.id and signing_secret.kind = ${sql.raw(`'${kind}'`)}
          and (signing_secret.expires_at is null or signing_secret.expires_at > now())
        order by signing_secret.created_at desc limit ${signingSecretsMax}
      )`;
}

/** Lanes of one of the two classes, locked, in the order of their turn. */
function readyLanes(isPrompt: boolean, limit: number) {
  return sql`
    select webhook_id, workspace_id, ready_at, xmin as version, is_prompt as is_prompt_lane, openings > 0 as is_probe,
      case when openings > 0 then 1 else in_flight_max end as cap, rate_per_second, rate_burst, next_token_at,
      case when rate_per_second is not null then least(
        rate_burst, floor(extract(epoch from now() - next_token_at) * rate_per_second) + 1) end as tokens
    from lane where is_prompt = ${sql.raw(String(isPrompt))} and ready_at <= now()
    order by ready_at limit ${limit} for update skip locked`;
}

/** When the first lane of a class becomes ready that is not. */
function nextReadyAt(isPrompt: boolean) {
  return sql`
    select ready_at from lane where is_prompt = ${sql.raw(String(isPrompt))} and ready_at > now()
    order by ready_at limit 1`;
}
