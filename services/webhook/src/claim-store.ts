import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
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
  url: string;
  event: string;
  /** Sealed, as are the signing secrets, newest first. */
  secretToken: string;
  signingSecrets: string[];
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

/** How many of a webhook's live secrets sign: a header has to stay of a size that every server takes. */
const signingSecretsMax = 10;
/** How many lanes one claim looks at, prompt ones and others each. */
const lanesMax = 64;

/** `isMore`: something was done, and there may be more to do at once. */
interface ClaimedBatch {
  deliveries: Claimed[];
  isMore: boolean;
}

/**
 * Takes due deliveries: of the lanes that are ready, least recently served first, one of each before a second of any. Of
 * a lane no more than it may have under way. Never waits; none that another worker has can be taken until its lease
 * has run out.
 */
export async function claimDue(db: Kysely<Tables>, claim: Claim): Promise<ClaimedBatch> {
  const promptLanes = Math.min(lanesMax, claim.slots) + claim.hanging.length;
  const otherLanes = Math.min(lanesMax, claim.slowSlots);
  const leaseEnd = sql`now() + ${claim.leaseMs} * interval '1 millisecond'`;
  // `= any(array(...))` keeps the planner at one index look-up per row, however large the tables are.
  const { rows } = await sql<(Claimed | { id: null }) & { isMore: boolean }>`
    ${acrossWorkspaces('workers deliver whatever is due')}
    with prompt as materialized (
      ${readyLanes(true, promptLanes)}
    ), other as materialized (
      ${readyLanes(false, otherLanes)}
    ), ready as materialized (
      select lane.*, under_way.number as under_way, under_way.lease_end,
        -- Four times an equal share: what is looked at does not grow with what is due.
        least(lane.cap - under_way.number, 4 * ${claim.slots}::int / lane.lanes + 1)::int as room,
        lane.is_prompt_lane and lane.webhook_id <> all(${[...claim.hanging]}::uuid[]) as is_prompt
      from (
        select *, count(*) over () as lanes from (select * from prompt union all select * from other) as either
      ) as lane
      -- Only where the row is the one that this statement sees: to another, deliveries that it does not see may have
      -- been added, and its ready_at must not be moved on.
      join lane as seen on seen.webhook_id = lane.webhook_id and seen.xmin = lane.version
      cross join lateral (
        select count(*)::int as number, min(due_at) as lease_end from open_delivery
        where webhook_id = lane.webhook_id and lease_token is not null and due_at > now()
      ) as under_way
    ), candidate as materialized (
      select ready.webhook_id, ready.workspace_id, ready.is_prompt, ready.ready_at, due.id, due.due_at,
        row_number() over (partition by ready.webhook_id order by due.due_at) as turn
      from ready cross join lateral (
        select id, due_at from (
          (select id, due_at from open_delivery
            where webhook_id = ready.webhook_id and lease_token is null and due_at <= now()
            order by due_at limit greatest(ready.room, 0))
          union all
          (select id, due_at from open_delivery
            where webhook_id = ready.webhook_id and lease_token is not null and due_at <= now() and state = 'pending'
            order by due_at limit greatest(ready.room, 0))
        ) as either order by due_at limit greatest(ready.room, 0)
      ) as due
    ), chosen as materialized (
      select id, due_at from (
        select candidate.*,
          row_number() over (partition by is_prompt order by turn, ready_at) as place_in_class,
          row_number() over (partition by candidate.workspace_id order by turn, ready_at)
            + coalesce(held.number, 0) as place_in_workspace
        from candidate left join unnest(${[...claim.held.keys()]}::uuid[], ${[...claim.held.values()]}::int[])
          as held (workspace_id, number) on held.workspace_id = candidate.workspace_id
      ) as placed
      where is_prompt or place_in_class <= ${claim.slowSlots}
      order by place_in_workspace > ${claim.workspaceSlots}, turn, ready_at limit ${claim.slots}
    ), free as materialized (
      -- Only bodies that are being replaced can be in the way: everybody else comes through the lane.
      select id from open_delivery
      where id = any(array(select id from chosen)) and state = 'pending' and (lease_token is null or due_at <= now())
      for update skip locked
    ), taken as (
      update open_delivery set lease_token = ${claim.leaseToken}, due_at = ${leaseEnd}
      where id = any(array(select id from free))
      returning id, workspace_id, webhook_id, event_id, lease_token, attempts, created_at
    ), lane_after as materialized (
      select ready.*, coalesce(due.number, 0) as due, coalesce(got.number, 0) as got,
        ready.under_way + coalesce(got.number, 0) >= ready.cap as is_full
      from ready
      left join (select webhook_id, count(*)::int as number from candidate group by webhook_id) as due
        on due.webhook_id = ready.webhook_id
      left join (select webhook_id, count(*)::int as number from taken group by webhook_id) as got
        on got.webhook_id = ready.webhook_id
    ), served as (
      update lane set
        served_at = case when after.got > 0 then now() else lane.served_at end,
        is_full = after.is_full,
        ready_at = case
          when not after.is_full and (after.due > after.got or after.got = after.room) then now()
          else least(
            after.lease_end,
            case when after.got > 0 then ${leaseEnd} end,
            case when not after.is_full then (
              select open_delivery.due_at from open_delivery
              where open_delivery.webhook_id = after.webhook_id and lease_token is null
                and open_delivery.due_at > now()
              order by open_delivery.due_at limit 1) end) end
      -- Whoever got nothing this time keeps the place.
      from lane_after as after where lane.webhook_id = after.webhook_id and (after.got > 0 or after.due = 0)
      returning lane.webhook_id, lane.ready_at <= now() as is_ready
    ), seen as (
      select exists (select from served) and (
        exists (select from served where is_ready)
        or (select count(*) from prompt) >= ${promptLanes}
        or (select count(*) from other) >= greatest(${otherLanes}::int, 1)) as is_more
    )
    select seen.is_more, taken.id, taken.workspace_id, taken.webhook_id, taken.event_id, taken.lease_token,
      taken.created_at, taken.attempts + 1 as attempt, chosen.due_at, ready.is_prompt, ready.is_probe,
      webhook.url, webhook.event, webhook.secret_token, event.body, event.traceparent,
      array(
        select signing_secret.secret from signing_secret
        where signing_secret.webhook_id = webhook.id
          and (signing_secret.expires_at is null or signing_secret.expires_at > now())
        order by signing_secret.created_at desc limit ${signingSecretsMax}
      ) as signing_secrets
    from seen left join (
      taken
      join chosen on chosen.id = taken.id
      join ready on ready.webhook_id = taken.webhook_id
      join webhook on webhook.id = taken.webhook_id and webhook.is_active
      join event on event.id = taken.event_id
    ) on true`.execute(db);
  const deliveries = rows.filter((row): row is Claimed & { isMore: boolean } => row.id !== null);
  return { deliveries, isMore: rows.some((row) => row.isMore) };
}

/** Lanes of one of the two classes, locked, in the order of their turn. */
function readyLanes(isPrompt: boolean, limit: number) {
  return sql`
    select webhook_id, workspace_id, ready_at, xmin as version, is_prompt as is_prompt_lane, openings > 0 as is_probe,
      case when openings > 0 then 1 else in_flight_max end as cap
    from lane where is_prompt = ${sql.raw(String(isPrompt))} and ready_at <= now()
    order by ready_at limit ${limit} for update skip locked`;
}
