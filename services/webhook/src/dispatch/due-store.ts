import { tableOf, uuids } from '@parley/postgres/sql/arrays';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { reads } from '@parley/postgres/sql/dialect';
import { sql } from 'kysely';
import { hasEarlierInQueue } from '../deliveries/ordering.ts';
import { shardOf } from '../scheduling/shard.ts';
import { type Db, ofWebhook, type WebhookKey } from '../schema.ts';

/** A due delivery, with what its attempt needs of its row and its event. */
export interface Due {
  id: string;
  webhookId: string;
  eventId: string;
  /** From 1. */
  attempt: number;
  createdAtMs: number;
  dueAtMs: number;
  /** When its next planned attempt is due, if a call has asked for this one before. */
  plannedAtMs: number | null;
  /** How many attempts have come before their time, by a call. */
  manualAttempts: number;
  orderingKey: string | null;
  /** Whether an earlier delivery with its ordering key is open. */
  isBlocked: boolean;
  eventName: string;
  isTest: boolean;
  isTestInteraction: boolean;
  /** The id of its interaction; empty for a test event. */
  about: string;
  /** JSON of the envelope's `data`, without `extra` and `result`. */
  data: string;
  extra: string;
  /** Null unless the event is a completion. */
  result: string | null;
  isEnveloped: boolean;
  /** When the event was raised; for a test event, when it was asked for. */
  eventAtMs: number;
  traceparent: string | null;
  /**
   * When the event was raised. Null after the first attempt, and unless the delivery was created with its
   * event.
   */
  raisedAtMs: number | null;
  revision: number;
}

/** SQL for the later of the clocks of the database and the owner. The database's is behind after it was set back. */
const dueBy = (nowMs: number) => sql<Date>`greatest(now(), ${new Date(Math.ceil(nowMs))})`;

/**
 * Reads up to `number` due deliveries of each webhook, oldest first, without deliveries in flight (`inFlight`, by id)
 * and claimed ones.
 */
export async function readDue(
  db: Db,
  wanted: readonly { webhookId: string; number: number }[],
  { nowMs, inFlight }: { nowMs: number; inFlight: readonly string[] },
): Promise<Due[]> {
  const lanes = tableOf('wanted', wanted, {
    webhookId: ['uuid', ({ webhookId }) => webhookId],
    number: ['int', ({ number }) => number],
  });
  const { rows } = await sql<Due>`
    ${acrossWorkspaces('owners deliver whatever is due')}
    select due.id, due.webhook_id, due.event_id, due.attempts + 1 as attempt,
      1000 * extract(epoch from due.created_at)::float8 as created_at_ms,
      1000 * extract(epoch from due.due_at)::float8 as due_at_ms, due.ordering_key,
      1000 * extract(epoch from due.planned_at)::float8 as planned_at_ms, due.manual_attempts,
      ${hasEarlierInQueue} as is_blocked,
      event.name as event_name, event.is_test, event.is_test_interaction, event.about, convert_from(event.data, 'UTF8') as data, event.extra,
      convert_from(event.result, 'UTF8') as result,
      due.is_enveloped,
      1000 * extract(epoch from event.at)::float8 as event_at_ms, event.traceparent, lane.revision,
      case when due.attempts = 0 and due.created_at = event.received_at
        then 1000 * extract(epoch from event.raised_at)::float8 end as raised_at_ms
    from ${lanes}
    -- The limits force one index lookup per row, whatever the statistics of the tables say.
    cross join lateral (select revision from lane where lane.webhook_id = wanted.webhook_id limit 1) as lane
    cross join lateral (
      select * from open_delivery
      where webhook_id = wanted.webhook_id and due_at <= ${dueBy(nowMs)} and claimed_by is null
        and id not in (select busy.id from unnest(${uuids(inFlight)}::uuid[]) as busy (id))
      order by due_at, id limit wanted.number
    ) as due
    cross join lateral (
      select name, is_test, is_test_interaction, about, data, extra, result, traceparent, raised_at, received_at,
        coalesce(raised_at, received_at) as at
      from event where event.id = due.event_id limit 1
    ) as event`.execute(reads(db));
  return rows;
}

/** How many due deliveries one statement examines. It holds the lock of the lane's row. */
const examinedMax = 1_000;

/**
 * Parks the oldest due deliveries of a lane that wait for an earlier one with their ordering key. Returns false if the
 * lane's row is locked, since other lanes must not wait for it.
 */
export async function parkBlocked(db: Db, webhook: WebhookKey, nowMs: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const locked = await sql`
      select webhook_id from lane where ${ofWebhook(webhook)} for update skip locked`.execute(trx);
    if (locked.rows.length === 0) return false;
    await sql`
      update open_delivery set due_at = 'infinity'
      where workspace_id = ${webhook.workspaceId} and id = any(array(
        select due.id from (
          select * from open_delivery
          where ${ofWebhook(webhook)} and due_at <= ${dueBy(nowMs)} and claimed_by is null
          order by due_at, id limit ${sql.lit(examinedMax)}
        ) as due where ${hasEarlierInQueue}))`.execute(trx);
    return true;
  });
}

/**
 * Claims deliveries that are in flight in lanes of this replica. No other replica sends them until they are recorded or
 * this replica is dead. Returns the ids of open deliveries that it could not claim: it skips locked rows.
 */
export async function claim(
  db: Db,
  replicaId: string,
  deliveries: readonly { id: string; webhookId: string }[],
): Promise<string[]> {
  const ids = uuids(deliveries.map(({ id }) => id));
  const flights = tableOf('flight', deliveries, {
    id: ['uuid', ({ id }) => id],
    shard: ['int', ({ webhookId }) => shardOf(webhookId)],
  });
  const { rows } = await sql<{ id: string }>`
    ${acrossWorkspaces('owners claim what they have in flight')}
    with free as materialized (
      select id from open_delivery where id = any(${ids}::uuid[]) for update skip locked
    ), claimed as (
      update open_delivery set claimed_by = ${replicaId}
      from ${flights}
      join shard on shard.id = flight.shard and shard.owner = ${replicaId}
      where open_delivery.id = any(array(select free.id from free)) and open_delivery.id = flight.id
      returning open_delivery.id
    )
    select id from open_delivery
    where id = any(${ids}::uuid[]) and id not in (select claimed.id from claimed)`.execute(db);
  return rows.map(({ id }) => id);
}
