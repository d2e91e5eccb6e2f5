import { webhookLimits } from '@parley/contracts/limits';
import type { Attempt, Delivery } from '@parley/contracts/webhook/v1/delivery';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { notFound } from '@parley/runtime/errors';
import { type RawBuilder, sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import { attemptColumns, attemptNumber, isInAnyState } from '../deliveries/finished-sql.ts';
import { type Db, finalStates, ofWebhook, type WebhookKey } from '../schema.ts';
import { finishedIn, firstIdAt, idRangeOf, lastId, lastOpen, type LogRange } from './log-range-sql.ts';

/** Which deliveries of a webhook to list. A page begins after `beforeId`. */
export interface DeliveryFilters extends LogRange {
  /** Only deliveries of events about this interaction, never a test. */
  interactionId?: string | null | undefined;
  /** Only the delivery of this event, also of a test. */
  eventId?: string | null | undefined;
}

/** How many deliveries a page by name reads at most: of a rare event, a page can be short although others follow. */
const examinedMax = 1_000;

/**
 * Returns a page of deliveries, newest first, only of events with this name, and the id after which the next page
 * begins; an empty one after the last page.
 */
export async function pageOfDeliveries(
  db: Db,
  { beforeId = null, ...filters }: DeliveryFilters,
  { event, limit }: { event: string | null; limit: number },
): Promise<{ deliveries: Delivery[]; nextCursor: string }> {
  const deliveries: Delivery[] = [];
  const size = event === null ? limit : webhookLimits.deliveriesMax;
  let place = beforeId;
  for (let examined = 0; examined < examinedMax; examined += size) {
    const rows = await listDeliveries(db, { ...filters, beforeId: place }, size);
    for (const [at, row] of rows.slice(0, size).entries()) {
      if (event === null || row.event === event) deliveries.push(row);
      if (deliveries.length === limit) return { deliveries, nextCursor: at + 1 < rows.length ? row.id : '' };
    }
    place = rows.length > size ? (rows[size - 1]?.id ?? null) : null;
    if (place === null) break;
  }
  return { deliveries, nextCursor: place ?? '' };
}

/** True for a claimed delivery: a slow attempt, or one whose replica has handed the lane over. */
const isUnderWay = sql`claimed_by is not null`;
const openColumns = sql`
  id, workspace_id, webhook_id, event_id, 'pending' as state, attempts,
  case when ${isUnderWay} then null else nullif(due_at, 'infinity') end as due_at,
  null::timestamptz as finished_at, ${isUnderWay} as is_under_way, false as has_attempt, null::text as error`;
const finishedColumns = sql`
  id, workspace_id, webhook_id, event_id, state, attempts, null::timestamptz as due_at, finished_at,
  false as is_under_way, started_at is not null as has_attempt, error`;
/** A value of the event of a row of `found`. A scalar subquery reads one event per row, never the whole table. */
const ofEvent = (column: RawBuilder<unknown>) => sql`(
    select ${column} from event where event.id = found.event_id and event.workspace_id = found.workspace_id)`;
const mark = sql`case when event.is_test then 'test' when event.is_test_interaction then 'test interaction' end`;
/** The error of the last attempt of a row of `found`: a delivery that an attempt has ended has it, else the log. */
const lastError = sql`case when found.has_attempt then found.error else (
    select attempt.error from attempt
    where attempt.delivery_id = found.id and attempt.workspace_id = found.workspace_id
      and attempt.recorded_at >= uuid_extract_timestamp(found.id) - interval '1 minute'
    order by attempt.number desc, attempt.started_at desc limit 1) end`;
/** The columns of a row of `found`. A `traceparent` has its trace id after the version, as `00-<trace id>-...`. */
const columns = sql`
  found.id, found.webhook_id, found.event_id, found.state, found.attempts, uuid_extract_timestamp(found.id) as created_at,
  found.due_at, found.finished_at, found.is_under_way, ${ofEvent(mark)} as mark,
  nullif(${ofEvent(sql`event.about`)}, '') as interaction_id, ${ofEvent(sql`event.name`)} as event,
  ${ofEvent(sql`substr(event.traceparent, 4, 32)`)} as trace_id, ${lastError} as last_error`;

type Row = Omit<Delivery, 'isTest' | 'isTestInteraction'> & { mark: 'test' | 'test interaction' | null };

function deliveryOf({ mark, ...row }: Row): Delivery {
  return { ...row, isTest: mark === 'test', isTestInteraction: mark === 'test interaction' || undefined };
}

/**
 * Returns a page of deliveries, newest first, and one more if there is another page. One statement reads open and
 * finished deliveries, so that none is missed or returned twice.
 */
export async function listDeliveries(db: Db, filters: DeliveryFilters, limit: number): Promise<Delivery[]> {
  const { workspaceId, webhookId, interactionId, eventId } = filters;
  if (interactionId != null || eventId != null) {
    const { after, before } = idRangeOf(filters);
    const isWanted = sql`
      found.webhook_id = ${webhookId} and found.state = any(${filters.states}::text[]) and found.id > ${after}`;
    return listOfEvents(db, { workspaceId, interactionId, eventId, before }, isWanted, limit + 1);
  }
  const rowsMax = webhookLimits.deliveriesMax + 1;
  const finished = { columns: finishedColumns, order: 'desc', rowsMax } as const;
  const kinds = [
    lastOpen(filters, openColumns, rowsMax),
    ...finalStates.map((state) => finishedIn(filters, state, finished)),
  ];
  const { rows } = await sql<Row>`
    ${acrossWorkspaces('rows are found by webhook; others are left out')}
    with found as (
      ${sql.join(kinds, sql` union all `)} order by id desc limit ${limit + 1}
    )
    select ${columns} from found where found.workspace_id = ${workspaceId}
    order by found.id desc`.execute(scans(db));
  return rows.map(deliveryOf);
}

interface OfEvents {
  workspaceId: string;
  /** Only of this interaction. */
  interactionId?: string | null | undefined;
  /** Only of this event. */
  eventId?: string | null | undefined;
  /** Only deliveries with ids before it. */
  before: string;
}

/** An event with the first id that a delivery of an event before it cannot have. */
interface EventPlace {
  id: string;
  after: string;
  receivedAt: Date;
}

/** How many events are read at once. Each has at most one delivery for each webhook. */
const eventsMax = 100;

/**
 * Returns the wanted events, newest first: the event of one message, or the events of an interaction. A delivery is
 * created in the transaction that stores its event, so its id is of the minute after `received_at`. Events that are
 * younger than the page are left out.
 */
async function wantedEvents(
  db: Db,
  { workspaceId, interactionId = null, eventId = null, before }: OfEvents,
): Promise<EventPlace[]> {
  if (![interactionId, eventId].every((id) => id === null || isUuid(id))) return [];
  // The log may be kept longer than the event.
  if (interactionId === null)
    return eventId === null ? [] : [{ id: eventId, after: before, receivedAt: new Date(0) }];
  const { rows } = await sql<Omit<EventPlace, 'after'>>`
    select id, received_at from event
    where about = ${interactionId} and about <> '' and workspace_id = ${workspaceId} and id = coalesce(${eventId}::uuid, id)
      and received_at <= coalesce(uuid_extract_timestamp(${before}::uuid), 'infinity') + interval '1 minute'
    order by received_at desc, id desc`.execute(reads(db));
  return rows.map((row) => ({ ...row, after: firstIdAt(row.receivedAt.getTime() + 60_000) }));
}

/**
 * Returns the newest wanted deliveries of events, and one more if there is another page. Reads no more events than the
 * page needs. `isWanted` is about a row of `found`.
 */
async function listOfEvents(
  db: Db,
  of: OfEvents,
  isWanted: RawBuilder<unknown>,
  limit: number,
): Promise<Delivery[]> {
  const events = await wantedEvents(db, of);
  const found: Delivery[] = [];
  for (let start = 0; start < events.length; start += eventsMax) {
    const part = events.slice(start, start + eventsMax);
    found.push(...(await deliveriesOf(db, of, part, isWanted, limit)));
    const next = events[start + eventsMax];
    if (next && found.filter(({ id }) => id >= next.after).length >= limit) break;
  }
  return found.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

async function deliveriesOf(
  db: Db,
  { workspaceId, before }: OfEvents,
  events: readonly EventPlace[],
  isWanted: RawBuilder<unknown>,
  limit: number,
): Promise<Delivery[]> {
  // With a condition on the webhook too, the planner could read all its deliveries.
  const isOfEvent = sql`workspace_id = ${workspaceId} and event_id = any(${events.map(({ id }) => id)}::uuid[])`;
  const oldest = events.at(-1)?.receivedAt ?? null;
  const { rows } = await sql<Row>`
    with found as materialized (
      select ${openColumns} from open_delivery where ${isOfEvent}
      union all
      select ${finishedColumns} from finished_delivery
      -- Skips the partitions of the days before.
      where ${isOfEvent} and finished_at >= ${oldest}::timestamptz - interval '1 minute'
    ), page as materialized (
      select * from found where found.id < ${before} and ${isWanted} order by found.id desc limit ${limit}
    )
    select ${columns} from page as found order by found.id desc`.execute(scans(db));
  return rows.map(deliveryOf);
}

/**
 * Returns deliveries of events about an interaction, newest first, and one more if there is another page. Leaves out
 * webhooks that are deleted.
 */
export async function deliveriesOfInteraction(
  db: Db,
  { workspaceId, interactionId }: { workspaceId: string; interactionId: string },
  beforeId: string | null,
  limit: number,
): Promise<Delivery[]> {
  const isShown = sql`exists (
      select from webhook
      where webhook.workspace_id = ${workspaceId} and webhook.id = found.webhook_id and webhook.deleted_at is null)`;
  return listOfEvents(db, { workspaceId, interactionId, before: beforeId ?? lastId }, isShown, limit);
}

/** Throws NOT_FOUND if the webhook is deleted or has no delivery of this id, or it is no longer stored. */
export async function findDelivery(db: Db, webhook: WebhookKey, id: string): Promise<Delivery> {
  const isOpen = sql`${ofWebhook(webhook)} and id = ${id}`;
  const { workspaceId, webhookId } = webhook;
  const isThere = sql`exists (
      select from webhook where workspace_id = ${workspaceId} and webhook.id = ${webhookId} and deleted_at is null)`;
  const [row] = await findBy(reads(db), isOpen, isFinished(webhook, [id]), isThere);
  if (!row) throw notFound();
  return row;
}

/** Returns the deliveries that meet the condition for their table and a third one. */
async function findBy(
  db: Db,
  openCondition: RawBuilder<unknown>,
  finishedCondition: RawBuilder<unknown>,
  isWanted: RawBuilder<unknown>,
): Promise<Delivery[]> {
  const { rows } = await sql<Row>`
    with found as materialized (
      select ${openColumns} from open_delivery where ${openCondition}
      union all
      select ${finishedColumns} from finished_delivery where ${finishedCondition}
    )
    select ${columns} from found where ${isWanted}`.execute(db);
  return rows.map(deliveryOf);
}

/** A position in the list of attempts. An attempt that paused the webhook has the next attempt's number. */
export type AttemptPosition = Pick<Attempt, 'number' | 'startedAt'>;

/** Returns the attempts of a delivery after a position. The row of a finished delivery has its last one. */
export async function listAttempts(
  db: Db,
  webhook: WebhookKey,
  id: string,
  after: AttemptPosition | undefined,
  limit: number,
): Promise<Attempt[]> {
  const isAfter = (number: RawBuilder<number>) => sql<boolean>`
        (${number}, started_at) > (${after?.number ?? 1}::int, ${after?.startedAt ?? new Date(0)}::timestamptz)`;
  const { rows } = await sql<Attempt>`
    with found as (
      (select number, ${attemptColumns} from attempt
        where workspace_id = ${webhook.workspaceId} and delivery_id = ${id} and ${isAfter(sql`number`)}
          and recorded_at >= ${notFinishedBefore(id)}
        order by number, started_at limit ${limit})
      union all
      select ${attemptNumber} as number, ${attemptColumns} from finished_delivery
      where ${isFinished(webhook, [id])} and ${isAfter(attemptNumber)} and started_at is not null
    )
    select number, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, status, error, pause_ms,
      coalesce(response_excerpt, '') as response_excerpt
    from found order by number, started_at limit ${limit}`.execute(reads(db));
  return rows;
}

/** SQL that is true for finished deliveries of a webhook with these ids, in ascending order. */
export function isFinished(webhook: WebhookKey, ids: readonly string[]): RawBuilder<boolean> {
  return sql`
        ${ofWebhook(webhook)} and id = any(${ids}::uuid[]) and ${isInAnyState}
        and finished_at >= ${notFinishedBefore(ids[0] ?? null)}`;
}

/**
 * SQL for the earliest time at which the delivery can have finished: its creation, less a minute. Skips older
 * partitions.
 */
function notFinishedBefore(id: string | null): RawBuilder<Date> {
  return sql`uuid_extract_timestamp(${id}::uuid) - interval '1 minute'`;
}
