import * as leases from '@parley/postgres/lease';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { tableOf } from '@parley/postgres/sql/arrays';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { sql } from 'kysely';
import { durable, makeLive } from '../generations/generation-store.ts';
import type { Db, Trx } from '../schema.ts';

const lease: leases.Lease = { table: 'lease', key: { isOnly: true }, heldSeconds: 6 };

/**
 * Claims the rounds and scans for this replica, or extends its claim. Undefined if another replica does them. A replica
 * that is late may count at the same time, which changes no figure. What says how far all is counted, it writes in
 * `whileHolding`.
 */
export function claimLease(db: Db, replica: string): Promise<leases.Held | undefined> {
  return leases.claimLease(db, lease, replica);
}

/** Runs `work` in a transaction under a claim. Returns false, without running it, if the claim has ended. */
export function whileHolding(db: Db, held: leases.Held, work: (trx: Trx) => Promise<void>): Promise<boolean> {
  return leases.whileHeld(db, lease, held, work);
}

/** Lets another replica take over at once. */
export function releaseLease(db: Db, replica: string): Promise<void> {
  return leases.releaseLease(db, lease, replica);
}

const ofAll = acrossWorkspaces('events and figures of all workspaces');

/** Returns the cursor in the event log before which all events were handled. Undefined before the first build. */
export async function readCursor(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ cursor: string }>`
    ${ofAll}
    select cursor from freshness`.execute(reads(db));
  return rows[0]?.cursor;
}

export async function moveCursor(trx: Trx, cursor: string): Promise<void> {
  await sql`
    ${ofAll}
    update freshness set cursor = ${cursor}`.execute(trx);
}

export interface Freshness {
  /** Everything that was committed until then is counted. */
  asOf: Date;
  /** Except for the events of these workspaces, which were raised from then on. */
  unhandled: ReadonlyMap<string, Date>;
  /** Except for the changes of these workspaces. */
  behind: readonly string[];
  /** A generation whose scan was at its end before has it too: it becomes live. */
  scanned: number | undefined;
}

/**
 * Records until when the figures have everything, which is never later than now by the clock of this database. In a
 * transaction that holds the lease.
 */
export async function recordAsOf(trx: Trx, { asOf, unhandled, behind, scanned }: Freshness): Promise<void> {
  await recordUnhandled(trx, unhandled);
  // Before the time of the others moves. Without one, nothing is older than the first build.
  await sql`
    ${ofAll}
    update workspace_progress set behind_since = case when workspace_id = any(${behind}::uuid[]) then
      coalesce(behind_since, (select as_of from freshness), (select min(started_at) from generation)) end
    where workspace_id = any(${behind}::uuid[]) is distinct from (behind_since is not null)`.execute(trx);
  await sql`
    ${ofAll}
    update freshness set as_of = least(${asOf}::timestamptz, now())`.execute(trx);
  if (scanned !== undefined) await makeLive(trx, scanned);
}

/** Writes only what changes. Before the time of the others moves. */
async function recordUnhandled(trx: Trx, unhandled: ReadonlyMap<string, Date>): Promise<void> {
  await sql`
    ${ofAll}
    delete from events_behind where workspace_id <> all(${[...unhandled.keys()]}::uuid[])`.execute(trx);
  if (unhandled.size === 0) return;
  const given = tableOf('given', [...unhandled], {
    workspaceId: ['uuid', ([workspaceId]) => workspaceId],
    raisedAt: ['timestamptz', ([, raisedAt]) => raisedAt],
  });
  // An event may be raised long before its commit. What was committed until the time before is counted.
  await sql`
    ${ofAll}
    insert into events_behind as known (workspace_id, since)
    select given.workspace_id, greatest(raised_at, coalesce(since, as_of))
    from ${given} left join events_behind on events_behind.workspace_id = given.workspace_id
      left join freshness on true
    on conflict (workspace_id) do update set since = excluded.since where known.since <> excluded.since`.execute(
    trx,
  );
}

/** Events that were raised later are as a rule handled before the next round. */
const lateSeconds = 10;

/**
 * Returns how many workspaces have older figures than the others. Those whose events are only not handled yet, if their
 * figures are more than ten seconds older.
 */
export async function countBehind(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    ${ofAll}
    select count(distinct workspace_id)::int as count from (
      select workspace_id from workspace_progress where behind_since is not null
      union all select workspace_id from events_behind join freshness on since < as_of - ${lateSeconds} * interval '1 second'
      union all select workspace_id from event_put_aside where durable = ${durable}) as behind`.execute(
    scans(db),
  );
  return rows[0]?.count ?? 0;
}

/** Returns the age of `as_of` in seconds. Undefined before the first time. */
export async function asOfAgeSeconds(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number }>`
    ${ofAll}
    select extract(epoch from now() - as_of)::float8 as seconds from freshness where as_of is not null`.execute(
    reads(db),
  );
  return rows[0]?.seconds;
}
