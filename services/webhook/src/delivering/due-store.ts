import { uuids } from '@parley/postgres/arrays';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
import { hasEarlierInLine } from '../deliveries/ordering-sql.ts';
import { shardOf } from '../rules/shard.ts';
import type { Tables, WebhookKey } from '../schema.ts';

type Db = Kysely<Tables>;

/** A delivery that is due, with all that its attempt needs from its row and its event. */
export interface Due {
  id: string;
  webhookId: string;
  eventId: string;
  /** From 1. */
  attempt: number;
  createdAtMs: number;
  dueAtMs: number;
  orderingKey: string | null;
  /** An earlier delivery with its ordering key is open. */
  isBlocked: boolean;
  /** Null: the webhook's own event. */
  eventName: string | null;
  body: string;
  traceparent: string | null;
  /** That of the lane's row: see `Lane`. */
  revision: number;
}

/** By the owner's clock, which runs on while the database's is set back, and may be behind it by some milliseconds. */
const dueBy = (nowMs: number) => sql<Date>`greatest(now(), ${new Date(Math.ceil(nowMs))})`;

/** Up to how many deliveries of a webhook to read. */
interface Wanted {
  webhookId: string;
  number: number;
}

/** Reads due deliveries, oldest first, except those that are in flight (`inFlight`, by id) or held by a replica. */
export async function readDue(
  db: Db,
  wanted: readonly Wanted[],
  { nowMs, inFlight }: { nowMs: number; inFlight: readonly string[] },
): Promise<Due[]> {
  const { rows } = await sql<Due>`
    ${acrossWorkspaces('owners deliver whatever is due')}
    select due.id, due.webhook_id, due.event_id, due.attempts + 1 as attempt,
      1000 * extract(epoch from due.created_at)::float8 as created_at_ms,
      1000 * extract(epoch from due.due_at)::float8 as due_at_ms, due.ordering_key,
      due.ordering_key is not null and ${hasEarlierInLine('due')} as is_blocked,
      event.name as event_name, convert_from(event.body, 'UTF8') as body, event.traceparent, lane.revision
    from unnest(${uuids(wanted.map(({ webhookId }) => webhookId))}::uuid[], ${wanted.map(({ number }) => number)}::int[])
      as wanted (webhook_id, number)
    -- Limits make these look-ups for each, whatever the planner believes of the tables.
    cross join lateral (select revision from lane where lane.webhook_id = wanted.webhook_id limit 1) as lane
    cross join lateral (
      select * from open_delivery
      where webhook_id = wanted.webhook_id and due_at <= ${dueBy(nowMs)} and held_by is null
        and id not in (select busy.id from unnest(${uuids(inFlight)}::uuid[]) as busy (id))
      order by due_at, id limit wanted.number
    ) as due
    cross join lateral (
      select name, body, traceparent from event where event.id = due.event_id limit 1
    ) as event`.execute(db);
  return rows;
}

/** So many are parked at once: it takes the lane's lock. */
const parkedMax = 1_000;

/**
 * Takes what is due but has to wait for an earlier delivery with its ordering key out of the way, until that is finished.
 * Returns false, without waiting, when the lane is locked: other lanes must not wait for it.
 */
export async function parkBlocked(
  db: Db,
  { workspaceId, webhookId }: WebhookKey,
  nowMs: number,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const locked = await sql`
      select webhook_id from lane
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId} for update skip locked`.execute(trx);
    if (locked.rows.length === 0) return false;
    await sql`
      update open_delivery set due_at = 'infinity'
      where workspace_id = ${workspaceId} and id = any(array(
        select due.id from open_delivery as due
        where due.workspace_id = ${workspaceId} and due.webhook_id = ${webhookId}
          and due.due_at <= ${dueBy(nowMs)} and due.ordering_key is not null and due.held_by is null
          and ${hasEarlierInLine('due')}
        order by due.due_at, due.id limit ${sql.lit(parkedMax)}))`.execute(trx);
    return true;
  });
}

/**
 * Marks deliveries that are in flight in lanes of this replica: whoever owns their lane next leaves them alone until they
 * are recorded. Returns the ids of those that are open but could not be marked, being locked: it does not wait.
 */
export async function hold(
  db: Db,
  replicaId: string,
  deliveries: readonly { id: string; webhookId: string }[],
): Promise<string[]> {
  const ids = uuids(deliveries.map(({ id }) => id));
  const { rows } = await sql<{ id: string }>`
    ${acrossWorkspaces('owners mark what they have in flight')}
    with free as materialized (
      select id from open_delivery where id = any(${ids}::uuid[]) for update skip locked
    ), held as (
      update open_delivery set held_by = ${replicaId}
      from unnest(${ids}::uuid[], ${deliveries.map(({ webhookId }) => shardOf(webhookId))}::int[]) as flight (id, shard)
      join shard on shard.id = flight.shard and shard.owner = ${replicaId}
      where open_delivery.id = any(array(select free.id from free)) and open_delivery.id = flight.id
      returning open_delivery.id
    )
    select id from open_delivery where id = any(${ids}::uuid[]) and id not in (select held.id from held)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
