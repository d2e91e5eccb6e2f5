import { webhookLimits } from '@parley/contracts/limits';
import { Attempt, type Delivery } from '@parley/contracts/webhook/v1/delivery';
import { fieldsOf } from '@parley/postgres/fields';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import { type FinalState, finalStates } from '../deliveries/delivery-state.ts';
import { attemptColumns, attemptNumber, isInAnyState } from '../deliveries/finished-sql.ts';
import type { Tables, WebhookKey } from '../schema.ts';
import { finishedIn, isMadeIn, openIn } from './log-range-sql.ts';

type Db = Kysely<Tables>;

/** Which of a webhook's deliveries: those that fit all that is given. */
export interface DeliveryFilters extends WebhookKey {
  states: readonly string[];
  /** By when they were made; `until` is exclusive. */
  since: Date | null;
  until: Date | null;
  /** Only those with smaller ids, which are what comes behind it in the list; null for the first page. */
  beforeId: string | null;
  /** Only that of this interaction's completion, never a test. */
  interactionId?: string | null | undefined;
  /** Only that of this event, also of a test. */
  eventId?: string | null | undefined;
}

/** An attempt that has lasted for half a second, or is made by a replica that has handed the lane over. */
const isUnderWay = sql`held_by is not null`;
const openColumns = sql`
  id, workspace_id, event_id, 'pending' as state, attempts, created_at,
  case when ${isUnderWay} then null else nullif(due_at, 'infinity') end as due_at,
  null::timestamptz as finished_at, ${isUnderWay} as is_under_way`;
const finishedColumns = sql`
  id, workspace_id, event_id, state, attempts, created_at, null::timestamptz as due_at, finished_at,
  false as is_under_way`;
/** Of a row of `found`. As a scalar it is a look-up for each, never a scan of the table. */
const columns = sql`
  found.id, found.event_id, found.state, found.attempts, found.created_at, found.due_at, found.finished_at,
  found.is_under_way, coalesce((
    select event.name = 'Test' from event
    where event.id = found.event_id and event.workspace_id = found.workspace_id), false) as is_test`;

/**
 * A page of deliveries, newest first, and at most one more: whether there is another page. Each is there once, wherever it
 * is just then: one statement sees the open and the finished ones as they are at one moment.
 */
export async function listDeliveries(db: Db, filters: DeliveryFilters, limit: number): Promise<Delivery[]> {
  const { workspaceId, states, interactionId, eventId } = filters;
  const wantedId = interactionId ?? eventId ?? null;
  if (wantedId !== null) {
    return isUuid(wantedId) && (eventId ?? wantedId) === wantedId ? listOfEvent(db, filters, wantedId) : [];
  }
  const range = { ...filters, afterId: null };
  // A limit that the planner can see: whatever the page's is, that many are read at most.
  const rowsMax = sql.raw(String(webhookLimits.deliveriesMax + 1));
  const finishedAs = (state: FinalState) => sql`${sql.ref(state)} as materialized (
      select ${finishedColumns} from finished_delivery
      where ${finishedIn(range, state)} and ${sql.lit(state)} = any(${states}::text[])
      order by webhook_id desc, state desc, id desc limit ${rowsMax}
    )`;
  const kinds = ['open', ...finalStates].map((kind) => sql`select * from ${sql.ref(kind)}`);
  const { rows } = await sql<Delivery>`
    ${acrossWorkspaces('rows of a webhook are found by it alone, and left out when they are of another workspace')}
    with open as materialized (
      select ${openColumns} from open_delivery
      where ${openIn(range)} and 'pending' = any(${states}::text[])
      order by webhook_id desc, id desc limit ${rowsMax}
    ), ${sql.join(finalStates.map(finishedAs))}, either as (
      ${sql.join(kinds, sql` union all `)}
    ), found as (
      select * from either order by id desc limit ${limit + 1}
    )
    select ${columns} from found where found.workspace_id = ${workspaceId} order by found.id desc`.execute(
    db,
  );
  return rows;
}

/** The same of one event: it has a delivery for each webhook of its workspace, so there is one at most. */
async function listOfEvent(db: Db, filters: DeliveryFilters, eventId: string): Promise<Delivery[]> {
  const { workspaceId, webhookId, states, beforeId } = filters;
  // By the event alone: with the webhook as well, the planner might read all that the webhook has.
  const { rows } = await sql<Delivery>`
    with open as materialized (
      select webhook_id, ${openColumns} from open_delivery
      where workspace_id = ${workspaceId} and event_id = ${eventId}
    ), finished as materialized (
      select webhook_id, ${finishedColumns} from finished_delivery
      where workspace_id = ${workspaceId} and event_id = ${eventId}
    ), found as (
      select * from open union all select * from finished
    )
    select ${columns} from found
    where webhook_id = ${webhookId} and state = any(${states}::text[]) and ${isMadeIn(filters)}
      and (id >= ${beforeId}::uuid) is not true`.execute(db);
  // The id of a test's event is nobody's interaction.
  return filters.interactionId == null ? rows : rows.filter(({ isTest }) => !isTest);
}

/** Undefined when the webhook has no such delivery, or it is no longer kept. */
export async function findDelivery(
  db: Db,
  { workspaceId, webhookId }: WebhookKey,
  id: string,
): Promise<Delivery | undefined> {
  const { rows } = await sql<Delivery>`
    with open as materialized (
      select ${openColumns} from open_delivery
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and id = ${id}
    ), finished as materialized (
      select ${finishedColumns} from finished_delivery
      where ${isFinishedDelivery(workspaceId, webhookId, id)}
    ), found as (
      select * from open union all select * from finished
    )
    select ${columns} from found`.execute(db);
  return rows[0];
}

/** A place among the attempts of a delivery: those that paused the webhook have the number of the one that follows. */
export type AttemptPlace = Pick<Attempt, 'number' | 'startedAt'>;

/**
 * Attempts of a delivery, from the one behind `after` on, first to last: the last one of a finished delivery is in its
 * row. Those of 30 days ago are gone.
 */
export async function listAttempts(
  db: Db,
  { workspaceId, webhookId }: WebhookKey,
  id: string,
  after: AttemptPlace,
  limit: number,
): Promise<Attempt[]> {
  const isAfter = (number: RawBuilder<number>) => sql<boolean>`
        (${number}, started_at) > (${after.number}::int, ${after.startedAt}::timestamptz)`;
  const { rows } = await sql<Attempt>`
    with earlier as materialized (
      select number, ${attemptColumns} from attempt
      where workspace_id = ${workspaceId} and delivery_id = ${id} and ${isAfter(sql`number`)}
        and recorded_at >= ${madeAt(id)}
      order by number, started_at limit ${limit}
    ), last as materialized (
      select ${attemptNumber} as number, ${attemptColumns} from finished_delivery
      where ${isFinishedDelivery(workspaceId, webhookId, id)} and ${isAfter(attemptNumber)} and started_at is not null
    ), found as (
      select * from earlier union all select * from last
    )
    select ${sql.join(attemptFields.map((field) => sql.ref(field)))}, coalesce(response_excerpt, '') as response_excerpt
    from found order by number, started_at limit ${limit}`.execute(db);
  return rows;
}

const attemptFields = fieldsOf(Attempt, ['responseExcerpt']);

function isFinishedDelivery(workspaceId: string, webhookId: string, id: string): RawBuilder<boolean> {
  return sql`
        workspace_id = ${workspaceId} and webhook_id = ${webhookId} and id = ${id} and ${isInAnyState}
        and finished_at >= ${madeAt(id)}`;
}

/** Nothing of a delivery is in the partitions of the days before. */
function madeAt(id: string): RawBuilder<Date> {
  return sql`uuid_extract_timestamp(${id}::uuid) - interval '1 minute'`;
}
