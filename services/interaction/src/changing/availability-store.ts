import { interactionAvailable, interactionReminderDue } from '@parley/contracts/events';
import { insertEvents, newEvent } from '@parley/events/log';
import { claimDue } from '@parley/postgres/due-work';
import { tableOf } from '@parley/postgres/sql/arrays';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type Availability,
  changedAvailability,
  type Claimed,
  nextDueAt,
  type Raised,
  raise,
} from '../interactions/availability.ts';
import { countReminders } from '../metrics.ts';
import type { InteractionKey, InteractionRow } from '../interactions/store.ts';
import type { Tables } from '../schema.ts';

const batchMax = 200;
/** How many due interactions are claimed in the shares of all workspaces together, and at least in one. */
const sharesMax = 1_000;
const shareMin = 20;

const columns = sql`available_at, is_announcing, is_announced, reminders, next_reminder`;

/** Returns undefined for an interaction without availability. */
export async function loadAvailability(
  db: Kysely<Tables>,
  { workspaceId, id }: InteractionKey,
): Promise<Availability | undefined> {
  const { rows } = await sql<Availability>`
    select ${columns} from availability where workspace_id = ${workspaceId} and interaction_id = ${id}`.execute(
    reads(db),
  );
  return rows[0];
}

/**
 * Sets the availability after a change, in its transaction: the lock of the interaction keeps others from raising
 * anything meanwhile. Returns whether it has changed. `reminders` are of the live version of the bot.
 */
export async function moveAvailability(
  trx: Kysely<Tables>,
  before: InteractionRow,
  after: InteractionRow,
  liveReminders: readonly number[],
): Promise<boolean> {
  const { workspaceId, id: interactionId } = before;
  const known = await loadAvailability(trx, before);
  const changed = changedAvailability(before, after, new Date(), { known, reminders: liveReminders });
  if (!changed) return false;
  const row = { ...changed, reminders: [...changed.reminders], dueAt: nextDueAt(changed) };
  await trx
    .insertInto('availability')
    .values({ interactionId, workspaceId, ...row })
    .onConflict((of) =>
      of.column('interactionId').doUpdateSet(row).where('availability.workspaceId', '=', workspaceId),
    )
    .execute();
  return true;
}

/**
 * Raises a batch of what is due: the oldest first, and then, if more is due than a batch, some of each workspace in its
 * share. Returns how many events it has raised, and whether there may be more. Replicas may run it concurrently. One
 * transaction claims rows and raises their events, so that a crash leaves both or none.
 */
export async function raiseDue(db: Kysely<Tables>): Promise<{ raised: number; mayHaveMore: boolean }> {
  const first = await raiseBatch(db, sql`due_at <= now()`, batchMax);
  let { raised } = first;
  if (first.claimed < batchMax) return { raised, mayHaveMore: false };
  const workspaceIds = await listDueWorkspaces(db);
  const shareMax = Math.max(shareMin, Math.floor(sharesMax / workspaceIds.length));
  for (const workspaceId of workspaceIds) {
    const share = await raiseBatch(db, sql`workspace_id = ${workspaceId} and due_at <= now()`, shareMax);
    raised += share.raised;
  }
  return { raised, mayHaveMore: true };
}

/** Reads one row of each workspace that waits, however many wait. */
async function listDueWorkspaces(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    ${acrossWorkspaces('workspaces take turns')}
    with recursive waiting as (
      (select workspace_id from availability where due_at is not null order by workspace_id limit 1)
      union all
      select (
        select workspace_id from availability
        where due_at is not null and workspace_id > waiting.workspace_id order by workspace_id limit 1)
      from waiting where waiting.workspace_id is not null
    )
    select workspace_id from waiting
    where exists (
      select from availability where availability.workspace_id = waiting.workspace_id and due_at <= now())`.execute(
    scans(db),
  );
  return rows.map(({ workspaceId }) => workspaceId);
}

type ClaimedRow = Availability & { interactionId: string; workspaceId: string };
type Due = ClaimedRow & Pick<InteractionRow, 'customerId' | 'isTest'>;

/** Returns how many rows were claimed, and how many events were raised. */
async function raiseBatch(
  db: Kysely<Tables>,
  isDue: RawBuilder<unknown>,
  limit: number,
): Promise<{ claimed: number; raised: number }> {
  const done = await db.transaction().execute(async (trx) => {
    const claimed = await claimDue<ClaimedRow>(
      trx,
      acrossWorkspaces('interactions of all workspaces become available'),
      {
        table: 'availability',
        isDue,
        orderBy: sql`due_at`,
        limit,
        // Soon due again if its interaction is locked. Others are set below.
        set: sql`due_at = now() + interval '2 seconds'`,
        returning: sql`interaction_id, workspace_id, ${columns}`,
      },
    );
    const raised = claimed.length === 0 ? [] : await raiseClaimed(trx, claimed);
    const events = raised.flatMap(eventsOf);
    await insertEvents(trx, events);
    return { claimed: claimed.length, raised, events: events.length };
  });
  for (const { reminders, skipped } of done.raised) countReminders(reminders.length, skipped);
  return { claimed: done.claimed, raised: done.events };
}

async function raiseClaimed(trx: Kysely<Tables>, claimed: readonly ClaimedRow[]) {
  const states = await lockInteractions(trx, claimed);
  const raised = claimed.flatMap((one) => {
    const state = states.get(one.interactionId);
    if (!state) return [];
    return [
      {
        due: { ...one, customerId: state.customerId, isTest: state.isTest },
        ...raise(one, state, state.now),
      },
    ];
  });
  if (raised.length > 0) await saveRaised(trx, raised);
  return raised;
}

type Locked = Claimed & Pick<InteractionRow, 'id' | 'customerId' | 'isTest'> & { now: Date };

/**
 * Locks the interactions against a start or another change until the commit. Leaves out locked ones: their
 * transactions may wait for the claimed rows.
 */
async function lockInteractions(
  trx: Kysely<Tables>,
  claimed: readonly ClaimedRow[],
): Promise<Map<string, Locked>> {
  const { rows } = await sql<Locked>`
    ${acrossWorkspaces('the interactions of claimed rows, each in its workspace')}
    select id, customer_id, is_test, status, expires_at, started_at, now() as now from interaction
    where id = any(${claimed.map(({ interactionId }) => interactionId)}::uuid[]) for share skip locked`.execute(
    trx,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function saveRaised(
  trx: Kysely<Tables>,
  raised: readonly (Raised & { due: ClaimedRow })[],
): Promise<void> {
  const given = tableOf('given', raised, {
    interactionId: ['uuid', ({ due }) => due.interactionId],
    workspaceId: ['uuid', ({ due }) => due.workspaceId],
    isAnnounced: ['boolean', ({ after }) => after.isAnnounced],
    nextReminder: ['int', ({ after }) => after.nextReminder],
    dueAt: ['timestamptz', ({ after }) => after.dueAt],
  });
  await sql`
    update availability
    set is_announced = given.is_announced, next_reminder = given.next_reminder, due_at = given.due_at
    from ${given}
    where availability.interaction_id = given.interaction_id
      and availability.workspace_id = given.workspace_id`.execute(trx);
}

function eventsOf({ due, isAvailable, reminders }: Raised & { due: Due }) {
  const { workspaceId, interactionId, customerId, isTest } = due;
  const about = { workspaceId, interactionId, customerId, isTest: isTest || undefined };
  return [
    ...(isAvailable ? [newEvent(interactionAvailable, about)] : []),
    ...reminders.map((number) => newEvent(interactionReminderDue, { ...about, number })),
  ];
}
