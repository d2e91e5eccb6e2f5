import { claimDue } from '@parley/postgres/due-work';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import type { LoggedEvent } from '@parley/contracts/events/v1/log';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { type Kysely, sql } from 'kysely';
import { claimLease, type Held, isHeld, type Lease, releaseLease } from '@parley/postgres/lease';
import { createPartitionFunctions } from '@parley/postgres/schema/partitions';
import { createHandledDays } from './handled-days.ts';
import { createShares, postponedBy, type Shares, sharesOf } from './shares.ts';

/** What a consumer has handled, as far as it can come again. Kept in the database of the consumer's service. */
export interface Inbox extends Shares {
  /** Returns the ids that were not handled, are no dead letters, and do not wait for a share. */
  keepNew(ids: readonly string[]): Promise<Set<string>>;
  /** Records events as handled, in the transaction of their effects. Returns the ids that were not handled before. */
  take<Tables>(trx: Kysely<Tables>, ids: readonly string[]): Promise<Set<string>>;
  /** Makes an event a dead letter, also a waiting one. It is retried after a while: ever later, at most an hour. */
  putAside(event: LoggedEvent, error: unknown): Promise<void>;
  /** Returns dead letters that are due, at most `limit`. No other replica gets them for a minute. */
  claimAside(limit: number): Promise<LoggedEvent[]>;
  /** Counts dead letters. Events that wait for a share do not count. */
  countAside(): Promise<number>;
  /**
   * Claims the cursor in the log of a source: null before the first. Undefined if another replica catches up with it.
   * That one takes over 15 seconds after the last call.
   */
  claimCursor(source: string, replica: string): Promise<Claimed | undefined>;
  /** Sets the first cursor, and since when events are wanted: null for all. */
  beginCursor(source: string, held: Held, at: { cursor: string; beganAt: Date | null }): Promise<void>;
  /** Moves the cursor, if the claim has not ended. `keptSince`: events from before it may have left the log. */
  moveCursor(source: string, held: Held, to: { cursor: string; keptSince: Date | null }): Promise<void>;
  /** Lets another replica have the cursor at once. */
  releaseCursor(source: string, replica: string): Promise<void>;
  /** Returns the cursor in the log of a source: all before it is handled, put aside or waits. Null before the first. */
  readCursor(source: string): Promise<string | null>;
  /** Returns which of these things have dead letters, or events that wait or were postponed. */
  listAside(workspaceId: string, abouts: readonly string[]): Promise<string[]>;
  /** Returns whether the consumer has a cursor in the log of each source: it has begun. */
  hasBegun(sources: readonly string[]): Promise<boolean>;
  /** Returns since when all these sources keep their events. Undefined until a cursor of each has moved. */
  keptSince(sources: readonly string[]): Promise<Date | undefined>;
  /**
   * Forgets a page of events that were raised before that time and are in no partition of a day. Returns whether there
   * may be more.
   */
  forgetBefore(time: Date): Promise<boolean>;
}

interface Claimed extends Held {
  cursor: string | null;
  /** Events that were raised before are not wanted. Null for none. */
  beganAt: Date | null;
}

/** The tables of handled events that have no partitions. */
const undated = ['inbox', 'handled_event_other'] as const;
const heldSeconds = 15;
const forgottenMax = 5_000;

/** Creates the tables of consumers. For a service's migration. A later one calls `extendInbox`. */
export async function createInbox<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table inbox (
      durable text not null,
      event_id uuid not null,
      primary key (durable, event_id)
    )`.execute(db);
  await sql`
    create table inbox_cursor (
      durable text not null,
      source text not null,
      cursor text,
      began_at timestamptz,
      kept_since timestamptz,
      holder uuid not null,
      held_until timestamptz not null,
      primary key (durable, source)
    )`.execute(db);
  await sql`
    create table event_put_aside (
      durable text not null,
      id uuid not null,
      type text not null,
      workspace_id uuid not null,
      about text not null,
      payload bytea not null,
      traceparent text not null,
      raised_at timestamptz,
      error text not null,
      tries int not null default 1,
      due_at timestamptz not null default now() + interval '1 minute',
      primary key (durable, id)
    )`.execute(db);
}

/**
 * Creates what consumers need besides the tables of `createInbox`. For a service's migration, after one with that.
 * `hasPartitionFunctions`: an earlier migration calls `createPartitionFunctions`.
 */
export async function extendInbox<Tables>(
  db: Kysely<Tables>,
  { hasPartitionFunctions }: { hasPartitionFunctions: boolean },
): Promise<void> {
  if (!hasPartitionFunctions) await createPartitionFunctions(db);
  await createShares(db);
  await sql`alter table inbox_cursor add column epoch bigint not null default 0`.execute(db);
  await createHandledDays(db);
}

const ofAll = acrossWorkspaces('a consumer handles the events of all workspaces');

export function inboxOf<Tables>(db: Kysely<Tables>, durable: string): Inbox {
  return {
    ...handledEvents(db, durable),
    ...asideEvents(db, durable),
    ...cursors(db, durable),
    ...sharesOf(db, durable),
  };
}

function handledEvents<Tables>(
  db: Kysely<Tables>,
  durable: string,
): Pick<Inbox, 'keepNew' | 'take' | 'forgetBefore'> {
  return {
    keepNew: async (ids) => {
      // Scalar subqueries read an index entry for each id, in one partition, whatever the planner knows of the tables.
      const { rows } = await sql<{ id: string }>`
        ${ofAll}
        select id from unnest(${ids}::uuid[]) as id
        where (select event_id from handled_event where durable = ${durable} and event_id = id.id) is null
          and (select event_id from inbox where durable = ${durable} and event_id = id.id) is null
          and (select aside.id from event_put_aside as aside where durable = ${durable} and aside.id = id.id) is null`.execute(
        reads(db),
      );
      return new Set(rows.map(({ id }) => id));
    },
    take: async (trx, ids) => {
      const { rows } = await sql<{ id: string }>`
        ${ofAll}
        with no_longer_aside as (
          delete from event_put_aside where durable = ${durable} and id = any(${ids}::uuid[])
        )
        insert into handled_event (durable, event_id)
        select ${durable}, id from unnest(${ids}::uuid[]) as id
        where (select event_id from inbox where durable = ${durable} and event_id = id.id) is null
        order by id on conflict do nothing returning event_id as id`.execute(trx);
      return new Set(rows.map(({ id }) => id));
    },
    forgetBefore: async (time) => {
      let isMore = false;
      for (const table of undated) {
        const { numAffectedRows } = await sql`
          ${ofAll}
          delete from ${sql.table(table)} where ctid = any(array(
            select ctid from ${sql.table(table)} where durable = ${durable} and event_id < ${firstIdAt(time)}::uuid
            limit ${forgottenMax}))`.execute(db);
        isMore ||= numAffectedRows === BigInt(forgottenMax);
      }
      return isMore;
    },
  };
}

function asideEvents<Tables>(
  db: Kysely<Tables>,
  durable: string,
): Pick<Inbox, 'putAside' | 'claimAside' | 'listAside' | 'countAside'> {
  return {
    putAside: async (event, error) => {
      // Postgres cannot store NUL.
      const text = String(error instanceof Error ? error.stack : error);
      const reason = text.replaceAll('\0', '').slice(0, 2_000);
      await sql`
        ${ofAll}
        insert into event_put_aside as aside
          (durable, id, type, workspace_id, about, payload, traceparent, raised_at, error)
        select ${durable}, ${event.id}, ${event.type}, ${event.workspaceId}, ${event.about}, ${event.payload},
          ${event.traceparent}, ${event.raisedAt}, ${reason}
        on conflict (durable, id) do update set error = excluded.error, tries = aside.tries + 1,
          due_at = now() + least(60, power(2, least(aside.tries, 6))) * interval '1 minute'`.execute(db);
    },
    claimAside: async (limit) => {
      return claimDue<LoggedEvent>(db, ofAll, {
        table: 'event_put_aside',
        isDue: sql`durable = ${durable} and due_at <= now() and tries > 0`,
        orderBy: sql`due_at`,
        limit,
        set: sql`due_at = now() + interval '1 minute'`,
        returning: sql`id, type, workspace_id, about, payload, traceparent, raised_at`,
      });
    },
    listAside: async (workspaceId, abouts) => {
      const { rows } = await sql<{ about: string }>`
        select distinct about from event_put_aside
        where durable in (${durable}, ${postponedBy(durable)}) and workspace_id = ${workspaceId}
          and about = any(${abouts}::text[])`.execute(reads(db));
      return rows.map(({ about }) => about);
    },
    countAside: async () => {
      const { rows } = await sql<{ count: number }>`
        ${ofAll}
        select count(*) from event_put_aside where durable = ${durable} and tries > 0`.execute(scans(db));
      return rows[0]?.count ?? 0;
    },
  };
}

function cursors<Tables>(
  db: Kysely<Tables>,
  durable: string,
): Pick<
  Inbox,
  'readCursor' | 'claimCursor' | 'beginCursor' | 'moveCursor' | 'releaseCursor' | 'hasBegun' | 'keptSince'
> {
  const leaseOf = (source: string): Lease => ({
    table: 'inboxCursor',
    key: { durable, source },
    heldSeconds,
  });
  return {
    readCursor: async (source) => {
      const { rows } = await sql<{ cursor: string | null }>`
        ${ofAll}
        select cursor from inbox_cursor where durable = ${durable} and source = ${source}`.execute(reads(db));
      return rows[0]?.cursor ?? null;
    },
    hasBegun: async (sources) => {
      const { rows } = await sql`
        ${ofAll}
        select from inbox_cursor where durable = ${durable} and source = any(${sources})
        having count(cursor) = ${sources.length}`.execute(reads(db));
      return rows.length === 1;
    },
    keptSince: async (sources) => {
      const { rows } = await sql<{ keptSince: Date }>`
        ${ofAll}
        select min(kept_since) as kept_since from inbox_cursor
        where durable = ${durable} and source = any(${sources})
        having count(kept_since) = ${sources.length}`.execute(reads(db));
      return rows[0]?.keptSince;
    },
    claimCursor: (source, replica) =>
      claimLease<Tables, Omit<Claimed, keyof Held>>(db, leaseOf(source), replica, ['cursor', 'beganAt']),
    beginCursor: async (source, held, { cursor, beganAt }) => {
      await sql`
        ${ofAll}
        update inbox_cursor set cursor = ${cursor}, began_at = ${beganAt} where ${isHeld(leaseOf(source), held)}`.execute(
        db,
      );
    },
    moveCursor: async (source, held, { cursor, keptSince }) => {
      await sql`
        ${ofAll}
        update inbox_cursor set cursor = ${cursor}, kept_since = ${keptSince} where ${isHeld(leaseOf(source), held)}`.execute(
        db,
      );
    },
    releaseCursor: (source, replica) => releaseLease(db, leaseOf(source), replica),
  };
}

/** Returns the smallest UUIDv7 (RFC 9562) of that millisecond. */
function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
