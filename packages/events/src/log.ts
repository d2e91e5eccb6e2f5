import type { EventType } from '@parley/contracts/events';
import { arraysOf, type Columns, tableOf, tableOfArrays } from '@parley/postgres/sql/arrays';
import { snakeCase } from '@parley/postgres/sql/case';
import { maintainPartitions, makePartitions, reportMissingRights } from '@parley/postgres/schema/partitions';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat } from '@parley/runtime/scheduling/schedule';
import { currentTraceparent } from '@parley/runtime/telemetry/telemetry';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { type Generated, type Kysely, type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';

/** The event log of a service. Partitioned by the day of `raisedAt`. Rows never change, except for their position. */
export interface EventLogTable {
  id: string;
  /** The place in the order of the log. Null until the relay has numbered it, after its commit. */
  position: Generated<number | null>;
  /** The subject of its type. */
  type: string;
  workspaceId: string;
  /** What it is about, such as the id of an interaction. */
  about: string;
  /** Ids and instants only: the bus carries no personal data (docs/decisions/0011). */
  payload: Buffer;
  traceparent: string | null;
  /** When its transaction began. */
  raisedAt: Generated<Date>;
}

export interface LogTables {
  eventLog: EventLogTable;
}

const eventLogTable = 'event_log';

/** An event as a row of the log. */
export type NewEvent = Pick<
  EventLogTable,
  'id' | 'type' | 'workspaceId' | 'about' | 'payload' | 'traceparent'
>;

/** An event of the log that has its place. */
export interface NumberedEvent extends NewEvent {
  position: number;
  raisedAt: Date;
}

/** Creates the table. For a service's first migration, after `createPartitionFunctions`. */
export async function createEventLog<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`create sequence event_position`.execute(db);
  await sql`
    create table event_log (
      id uuid not null,
      position bigint,
      type text not null,
      workspace_id uuid not null,
      about text not null,
      payload bytea not null,
      traceparent text,
      raised_at timestamptz not null default now()
    ) partition by range (raised_at)`.execute(db);
  await sql`create index on event_log (raised_at, id) where position is null`.execute(db);
  await sql`create index on event_log (position) where position is not null`.execute(db);
  await makePartitions(db, [eventLogTable]);
}

/** Keeps the partitions of the log, so that it has events of so many days. Logs an error if the role cannot do it. */
export async function keepEventLog<Tables>(
  db: Kysely<Tables>,
  daysKept: number,
  logger: Logger,
): Promise<AsyncDisposable> {
  await reportMissingRights(db, [eventLogTable], logger);
  const kept = { [eventLogTable]: daysKept };
  return repeat('maintain the event log', 60_000, logger, () => maintainPartitions(db, kept));
}

/** Returns an event as a row. Insert it in the statement or transaction that makes it true. */
export function newEvent<Message extends { workspaceId: string }>(
  type: EventType<Message>,
  message: Message,
): NewEvent {
  return {
    id: uuidv7(),
    type: type.subject,
    workspaceId: message.workspaceId,
    about: type.aboutOf(message),
    payload: Buffer.from(type.message.encode(message).finish()),
    traceparent: currentTraceparent() ?? null,
  };
}

/**
 * Gives up to `limit` committed events their places, and returns them in order. One statement at a time does this in a
 * database, until its commit. So places become visible in their order, and an event that is committed late gets a later
 * one.
 */
export async function numberEvents<Tables>(db: Kysely<Tables>, limit: number): Promise<NumberedEvent[]> {
  // Rows that another statement has numbered while this one waited for the lock are checked again, and skipped.
  const { rows } = await sql<NumberedEvent>`
    ${acrossWorkspaces('the relay numbers the events of all workspaces')}
    with turn as materialized (
      select pg_advisory_xact_lock(hashtextextended(current_schema() || '.number_events', 0)) is null as is_mine
    ), unnumbered as materialized (
      select id, raised_at from event_log, turn where position is null
      order by raised_at, id limit ${limit} for update of event_log
    ), numbered as materialized (
      select id, raised_at, nextval('event_position') as position
      from (select id, raised_at from unnumbered order by raised_at, id) as ordered
    )
    update event_log set position = numbered.position
    from numbered
    where event_log.raised_at = numbered.raised_at and event_log.id = numbered.id and event_log.position is null
    returning event_log.id, event_log.position, type, workspace_id, about, payload, traceparent, event_log.raised_at`.execute(
    db,
  );
  return rows.toSorted((one, other) => one.position - other.position);
}

/** The place of an event. The id proves that a cursor is of this log. */
interface Place {
  position: number;
  id: string;
}

const beginning: Place = { position: 0, id: '' };

export interface LogPage {
  events: NumberedEvent[];
  /** Behind which the log goes on. */
  place: Place;
  hasMore: boolean;
  /** The time of the database. */
  now: Date;
  /** All events that were committed before this have their places. */
  completeUntil: Date;
}

/** How many events of any type a page looks at, so that a rare type makes no page slow. */
export const scannedMax = 20_000;

/**
 * Returns numbered events behind a place, at most `limit`, of the given types or of all. It looks at no more than
 * `scannedMax` events, so there may be more behind a page without events. If the log does not know the place, because
 * it was restored from a backup, it is read from its beginning. A position without an id is not checked.
 */
export async function listEvents<Tables>(
  db: Kysely<Tables>,
  {
    after,
    types,
    limit,
  }: { after: { position: number; id?: string }; types: readonly string[]; limit: number },
): Promise<LogPage> {
  const { rows } = await sql<Partial<NumberedEvent> & PageEnd>`
    ${acrossWorkspaces('consumers read the events of all workspaces')}
    with newest as materialized (
      select id, position from event_log where position is not null order by position desc limit 1
    ), oldest as materialized (
      select position from event_log where position is not null order by position limit 1
    ), start as materialized (
      select case when ${after.id === undefined} or ${after.position} < (select position from oldest)
          or exists (select from event_log where position = ${after.position} and id::text = ${after.id ?? ''})
        then ${after.position}::bigint else 0 end as position
    ), scanned as materialized (
      select id, position from event_log where position > (select position from start)
      order by position offset ${scannedMax - 1} limit 1
    ), page_end as (
      select id, position, true as has_more from scanned
      union all select id, position, false from newest where not exists (select from scanned)
    )
    select clock_timestamp() as now, least(statement_timestamp(), (
        select raised_at from event_log where position is null order by raised_at limit 1)) as complete_until,
      page_end.id as end_id, page_end.position as end_position, has_more, event_log.*
    from (select) as one
    left join page_end on true
    left join lateral (
      select id, position, type, workspace_id, about, payload, traceparent, raised_at from event_log
      where position > (select position from start) and position <= page_end.position
        and (${types.length === 0} or type = any(${types}::text[]))
      order by position limit ${limit}
    ) as event_log on true`.execute(reads(db));
  const [first] = rows;
  if (!first) throw new Error('a join with one row on its left has a row');
  const events = rows.filter((row): row is typeof row & NumberedEvent => row.id !== null);
  const { now, completeUntil, endId, endPosition } = first;
  const last = events.length === limit ? events.at(-1) : undefined;
  if (last) return { events, place: last, hasMore: true, now, completeUntil };
  const end = endId === null ? beginning : { position: endPosition, id: endId };
  return { events, place: end, hasMore: first.hasMore ?? false, now, completeUntil };
}

/** The last event that a page has looked at, and whether there are more behind it. Null in an empty log. */
interface PageEnd {
  now: Date;
  completeUntil: Date;
  endId: string | null;
  endPosition: number;
  hasMore: boolean | null;
}

/** Returns the place behind all numbered events. */
export async function newestPlace<Tables>(db: Kysely<Tables>): Promise<Place> {
  const { rows } = await sql<Place>`
    ${acrossWorkspaces('the end of the log')}
    select id, position from event_log where position is not null order by position desc limit 1`.execute(
    reads(db),
  );
  return rows[0] ?? beginning;
}

export function cursorOf({ position, id }: Place): string {
  return `${position}.${id}`;
}

/** Returns the place of a cursor; undefined if the text is none. Empty: the beginning. */
export function placeOf(cursor: string): Place | undefined {
  if (cursor === '') return beginning;
  const [, position, id] = /^(\d{1,15})\.([\da-f-]{36}|)$/.exec(cursor) ?? [];
  return position === undefined || id === undefined ? undefined : { position: Number(position), id };
}

/** Returns the age of the oldest event without a place in seconds, or 0 if there is none. */
export async function oldestUnnumberedSeconds<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    ${acrossWorkspaces('metrics are about all events')}
    select coalesce(extract(epoch from now() - (
      select raised_at from event_log where position is null order by raised_at limit 1)), 0)::float8
      as seconds`.execute(reads(db));
  return rows[0]?.seconds ?? 0;
}

const unnumberedMax = 10_000;

/** At most `unnumberedMax`. */
export async function countUnnumbered<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    ${acrossWorkspaces('metrics are about all events')}
    select count(*)::int as count from (
      select from event_log where position is null limit ${unnumberedMax}) as unnumbered`.execute(scans(db));
  return rows[0]?.count ?? 0;
}

/** Inserts events, in the transaction that makes them true. */
export async function insertEvents<Tables>(trx: Kysely<Tables>, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`
    ${acrossWorkspaces('a transaction raises events of its rows')}
    insert into event_log (${sql.join(eventColumns.map((column) => sql.ref(snakeCase(column))))})
    select * from ${tableOf('event', events, columns)}`.execute(trx);
}

const columns = {
  id: ['uuid', (event) => event.id],
  type: ['text', (event) => event.type],
  workspaceId: ['uuid', (event) => event.workspaceId],
  about: ['text', (event) => event.about],
  payload: ['bytea', (event) => event.payload],
  traceparent: ['text', (event) => event.traceparent],
} as const satisfies Columns<NewEvent>;

/** The columns of new events, for statements that insert them. */
export const eventColumns = Object.keys(columns) as (keyof NewEvent)[];

/** Returns events as arrays, a parameter for each column. */
export function eventRows(events: readonly NewEvent[]) {
  return arraysOf('event', events, columns);
}

/** Returns the rows of such arrays with `eventColumns`, to select from. */
export function eventTable(
  rows: Readonly<Record<keyof ReturnType<typeof eventRows>, unknown>>,
): RawBuilder<NewEvent> {
  return sql<NewEvent>`(select * from ${tableOfArrays('event', columns, rows)})`;
}
