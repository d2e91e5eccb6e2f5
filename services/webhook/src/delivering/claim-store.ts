import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { lanesSeenMax } from './claim-lanes.ts';
import { laneAfter, lockedLanes, outlook, readyLanes, rooms, writeLanes } from './claim-lanes-sql.ts';
import { fairShare } from './claim-shares-sql.ts';
import { inLine, lineOrder } from './ordering-sql.ts';

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
  const promptSeen = lanesSeenMax + claim.hanging.length;
  const promptLanes = Math.min(claim.lanes, claim.slots) + claim.hanging.length;
  const otherLanes = Math.min(lanesSeenMax, claim.slowSlots);
  // While all slots are reserved, others than those with few are not even looked at: they may be many.
  const excluded = claim.reserved < claim.slots ? [] : heldBy(claim.held, claim.fewSlots);
  const shareMax = claim.reserved > 0 ? claim.fewSlots : claim.workspaceSlots;
  const last = heldBy(claim.held, shareMax);
  const leaseEnd = sql<Date>`now() + ${claim.leaseMs} * interval '1 millisecond'`;
  // `= any(array(...))` keeps the planner at one index look-up per row, however large the tables are.
  const { rows } = await sql<Found>`
    ${acrossWorkspaces('workers deliver whatever is due')}
    with prompt_seen as materialized (${readyLanes(true, promptSeen, excluded)}
    ), other_seen as materialized (${readyLanes(false, lanesSeenMax, excluded)}
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
    ), chosen as (${fairShare({ ...claim, shareMax })}
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
    ), lane_after as materialized (${laneAfter(leaseEnd)}
    ), written as (${writeLanes}
    ), outlook as (${outlook({ promptSeen, promptLanes, otherLanes })}
    ), summary as (
      select json_build_object('isMore', is_more, 'againInMs', again_in_ms, 'lanesSeen', lanes_seen,
        'lapsed', array(select webhook_id from ready where has_lapsed), 'targets', targets) as value
      from outlook cross join target
    ), delivery as (
      select taken.id, taken.webhook_id, taken.event_id, taken.attempts + 1 as attempt,
        1000 * date_part('epoch', taken.created_at) as created_at_ms,
        1000 * date_part('epoch', taken.due_at) as due_at_ms, taken.ordering_key, event.name as event_name,
        convert_from(event.body, 'UTF8') as body, event.traceparent
      from taken join event on event.id = taken.event_id
      where event.id = any(array(select taken.event_id from taken))
    )
    -- One row for each delivery, and one for the summary: none has both.
    select summary.value as summary, delivery.* from delivery full join summary on false`.execute(db);
  const summary = rows.find((row) => row.summary !== null)?.summary;
  if (!summary) throw new Error('a claim came without its summary');
  const { targets, ...batch } = summary;
  const targetOf = new Map(targets?.map((target) => [target.webhookId, target]));
  const deliveries: Claimed[] = [];
  for (const row of rows) {
    // Without a target its webhook is not active, so it is not sent. `endOpen` leaves no such lane ready; of what it has marked
    // all the same, the lease runs out, and `finishAbandoned` finishes it.
    const target = row.summary === null && targetOf.get(row.webhookId);
    if (target) deliveries.push(claimedOf(row, target, claim.leaseToken));
  }
  return { ...batch, deliveries };
}

/** The workspaces of which a worker has at least so many. */
function heldBy(held: Claim['held'], least: number): string[] {
  return [...held].filter(([, number]) => number >= least).map(([workspaceId]) => workspaceId);
}

/** A row of a claim: of one delivery that was taken, or, once, of all. */
type Found = { summary: Summary } | TakenRow;

interface Summary extends Omit<ClaimedBatch, 'deliveries'> {
  /** Null when nothing was taken, or only of webhooks that are not active. */
  targets: Target[] | null;
}

interface TakenRow
  extends Omit<Claimed, 'target' | 'leaseToken' | 'workspaceId' | 'isPrompt' | 'isProbe' | 'body'> {
  summary: null;
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
