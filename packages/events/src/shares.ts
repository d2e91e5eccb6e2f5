import type { LoggedEvent } from '@parley/contracts/events/v1/log';
import { tableOf } from '@parley/postgres/sql/arrays';
import { lockDue } from '@parley/postgres/due-work';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { type Kysely, type RawBuilder, sql } from 'kysely';

export interface WaitingEvent extends LoggedEvent {
  /** How long it has waited, in milliseconds. */
  waitedMs: number;
}

/** The events of workspaces that wait, and the shares in which they are handled. */
export interface Shares {
  /** Returns which of these workspaces have events that wait, or that were postponed. */
  listWaiting(workspaceIds: readonly string[]): Promise<Set<string>>;
  /** Returns which of these workspaces have events that wait, and when the first of each was raised. */
  waitingSince(workspaceIds: readonly string[]): Promise<Map<string, Date>>;
  /**
   * Lets events wait behind earlier ones of their workspaces, in a transaction if there is one. The workspaces in
   * `slow` are slow from now on.
   */
  wait<Tables>(
    events: readonly LoggedEvent[],
    options?: { slow?: ReadonlySet<string>; trx?: Kysely<Tables> },
  ): Promise<void>;
  /**
   * Returns the oldest events that wait of the workspace whose turn it is among slow workspaces, or among others. Of
   * slow workspaces, those that became slow after their last share come first. Undefined if it is no workspace's turn.
   * No other replica gets events of this workspace until `endShare`, or for a minute.
   */
  claimShare(
    isSlow: boolean,
    eventsMax: number,
  ): Promise<{ workspaceId: string; events: WaitingEvent[] } | undefined>;
  /** Ends a share. If events of the workspace wait, it is due again, behind the others. */
  endShare(workspaceId: string, next: NextShare): Promise<void>;
  /** Returns how many events wait, at most 10,000. */
  countWaiting(): Promise<number>;
  /** Returns for how long the oldest event has waited; 0 if none waits. */
  waitingSeconds(): Promise<number>;
}

interface NextShare {
  /** When it is due. */
  pauseMs: number;
  /** It has the events behind this id, because earlier events could not be handled. */
  after?: string | undefined;
  /** Whether others must not wait for it. */
  isSlow: boolean;
}

/** How many events a share has at most: only a few of a slow workspace, or of postponed ones. */
export const shareEventsMax = { usual: 100, costly: 25 };
const countedMax = 10_000;

/**
 * Creates the table of shares, and indexes of dead letters. For `extendInbox`. A waiting event is stored as a dead
 * letter that was never tried (`tries = 0`). Its `due_at` is when it began to wait.
 */
export async function createShares<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table inbox_turn (
      durable text not null,
      workspace_id uuid not null,
      due_at timestamptz not null default now(),
      after uuid,
      is_slow boolean not null default false,
      primary key (durable, workspace_id)
    )`.execute(db);
  await sql`create index on event_put_aside (durable, workspace_id, id)`.execute(db);
  await sql`create index on event_put_aside (durable, due_at) where tries > 0`.execute(db);
}

/** For statements with `waitingOf`: a row is compared with the workspace and an id at once. */
export const ofWaiting = acrossWorkspaces('the rows of a workspace are between two places of an index');

/** The name under which the tables have what a consumer has postponed. The broker has no such durable. */
export function postponedBy(durable: string): string {
  return `${durable}-postponed`;
}

const [firstId, lastId] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/**
 * SQL for `where` and `order by`: the rows of `event_put_aside` that wait of a workspace, the oldest first. The
 * compared rows start with the workspace, as only one index does, so the planner uses it. Otherwise it may read the
 * waiting events of all workspaces. Without statistics, it would take rows with `tries = 0` for rare, and sort many.
 */
export function waitingOf({
  durable,
  workspaceId,
  after = sql`${firstId}::uuid`,
}: {
  durable: RawBuilder<unknown>;
  workspaceId: RawBuilder<unknown>;
  /** The id behind which the rows begin. */
  after?: RawBuilder<unknown>;
}): RawBuilder<unknown> {
  return sql`
        durable = ${durable} and tries < 1 and (workspace_id, id) > (${workspaceId}, ${after})
          and (workspace_id, id) <= (${workspaceId}, ${lastId}::uuid)
        order by workspace_id, id`;
}

/** Of the workspace of the alias `share`. */
const waitingOfShare = waitingOf({ durable: sql`share.durable`, workspaceId: sql`share.workspace_id` });

/** When a workspace is due that has become slow: a busy machine makes quick ones slow, and others may hang. */
const dueFirst = sql`clock_timestamp() - interval '1 hour'`;

const ofAll = acrossWorkspaces('a consumer handles the events of all workspaces');

export function sharesOf<Tables>(db: Kysely<Tables>, durable: string): Shares {
  return {
    listWaiting: async (workspaceIds) => {
      const { rows } = await sql<{ workspaceId: string }>`
        select workspace_id from inbox_turn
        where durable in (${durable}, ${postponedBy(durable)}) and workspace_id = any(${workspaceIds}::uuid[])`.execute(
        reads(db),
      );
      return new Set(rows.map(({ workspaceId }) => workspaceId));
    },
    waitingSince: (workspaceIds) => waitingSince(db, durable, workspaceIds),
    wait: (events, { slow = new Set<string>(), trx } = {}) =>
      trx ? wait(trx, durable, events, slow) : wait(db, durable, events, slow),
    claimShare: (isSlow, eventsMax) => claimShare(db, durable, isSlow, eventsMax),
    endShare: async (workspaceId, { pauseMs, after, isSlow }) => {
      const waiting = waitingOf({ durable: sql`${durable}`, workspaceId: sql`${workspaceId}::uuid` });
      const isIts = sql`durable = ${durable} and workspace_id = ${workspaceId}`;
      await db.transaction().execute(async (trx) => {
        await sql`
          update inbox_turn
          set due_at = case when ${isSlow} and not is_slow then ${dueFirst}
              else clock_timestamp() + ${pauseMs} * interval '1 millisecond' end,
            after = ${after ?? null}, is_slow = ${isSlow}
          where ${isIts}`.execute(trx);
        // A second statement sees the events that began to wait before the share was locked. Of `exists`, the planner
        // would drop the order.
        await sql`
          ${ofWaiting}
          delete from inbox_turn where ${isIts} and (
            select id from event_put_aside where ${waiting} limit 1) is null`.execute(trx);
      });
    },
    countWaiting: async () => {
      const { rows } = await sql<{ count: number }>`
        ${ofAll}
        select count(*)::int as count from (
          select from event_put_aside where durable = ${durable} and tries = 0 limit ${countedMax}) as waiting`.execute(
        scans(db),
      );
      return rows[0]?.count ?? 0;
    },
    waitingSeconds: async () => {
      const { rows } = await sql<{ seconds: number }>`
        ${ofAll}
        select coalesce(extract(epoch from now() - min(oldest.due_at)), 0)::float8 as seconds
        from inbox_turn as share cross join lateral (
          select due_at from event_put_aside where ${waitingOfShare} limit 1
        ) as oldest
        where share.durable = ${durable}`.execute(scans(db));
      return rows[0]?.seconds ?? 0;
    },
  };
}

async function waitingSince<Tables>(
  db: Kysely<Tables>,
  durable: string,
  workspaceIds: readonly string[],
): Promise<Map<string, Date>> {
  const { rows } = await sql<{ workspaceId: string; raisedAt: Date | null }>`
    ${ofWaiting}
    select workspace_id, (
      select coalesce(raised_at, to_timestamp(0)) from event_put_aside where ${waitingOfShare} limit 1
    ) as raised_at
    from inbox_turn as share
    where durable = ${durable} and workspace_id = any(${workspaceIds}::uuid[])`.execute(reads(db));
  return new Map(rows.flatMap(({ workspaceId, raisedAt }) => (raisedAt ? [[workspaceId, raisedAt]] : [])));
}

async function wait<Tables>(
  db: Kysely<Tables>,
  durable: string,
  events: readonly LoggedEvent[],
  slow: ReadonlySet<string>,
): Promise<void> {
  const given = tableOf('given', events, {
    id: ['uuid', ({ id }) => id],
    type: ['text', ({ type }) => type],
    workspaceId: ['uuid', ({ workspaceId }) => workspaceId],
    about: ['text', ({ about }) => about],
    payload: ['bytea', ({ payload }) => payload],
    traceparent: ['text', ({ traceparent }) => traceparent],
    raisedAt: ['timestamptz', ({ raisedAt }) => raisedAt ?? null],
  });
  // The update locks the share, so that it does not end without these events.
  await sql`
    ${ofAll}
    with share as (
      insert into inbox_turn (durable, workspace_id, is_slow, due_at)
      select ${durable}, workspace_id, is_slow, case when is_slow then ${dueFirst} else now() end
      from (
        select distinct workspace_id, workspace_id = any(${[...slow]}::uuid[]) as is_slow from ${given}
      ) as workspace
      order by workspace_id
      on conflict (durable, workspace_id) do update set is_slow = inbox_turn.is_slow or excluded.is_slow
    )
    insert into event_put_aside
      (durable, id, type, workspace_id, about, payload, traceparent, raised_at, error, tries, due_at)
    select ${durable}, id, type, workspace_id, about, payload, traceparent, raised_at, '', 0, now() from ${given}
    on conflict (durable, id) do nothing`.execute(db);
}

async function claimShare<Tables>(
  db: Kysely<Tables>,
  durable: string,
  isSlow: boolean,
  eventsMax: number,
): ReturnType<Shares['claimShare']> {
  const isDue = sql`durable = ${durable} and is_slow = ${isSlow} and due_at <= now()`;
  const after = sql`coalesce(after, ${firstId}::uuid)`;
  const waiting = waitingOf({ durable: sql`${durable}`, workspaceId: sql`share_of`, after });
  const { rows } = await sql<{ shareOf: string } & (WaitingEvent | { id: null })>`
    ${ofAll}
    with share as (
      update inbox_turn set due_at = now() + interval '1 minute'
      where ctid = ${lockDue({ table: 'inbox_turn', isDue, orderBy: sql`due_at`, limit: 1 })}
      returning workspace_id as share_of, after
    )
    select share_of, waiting.* from share left join lateral (
      select id, type, workspace_id, about, payload, traceparent, raised_at,
        extract(epoch from now() - due_at)::float8 * 1000 as waited_ms
      from event_put_aside where ${waiting} limit ${eventsMax}
    ) as waiting on true`.execute(db);
  const [first] = rows;
  if (!first) return undefined;
  const events = rows.filter((row): row is typeof row & WaitingEvent => row.id !== null);
  return { workspaceId: first.shareOf, events };
}
