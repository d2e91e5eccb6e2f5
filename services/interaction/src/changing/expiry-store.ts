import { insertEvents } from '@parley/events/log';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { hiddenFromPlanner } from '@parley/postgres/sql/hidden-from-planner';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { countInteractions } from '../metrics.ts';
import type { Tables } from '../schema.ts';
import { expiredEvent } from '../interactions/events.ts';
import { isDue } from '../interactions/lifecycle.ts';
import { isOpenRow, nextVersion } from '../interactions/store.ts';
import { listInTurn } from './due-in-turn.ts';

const batchMax = 500;
/** A third of the time that a call has. */
const settleMsMax = 3_000;

/** What the event of an expired interaction and the metrics need. */
const expiredColumns = ['id', 'workspaceId', 'customerId', 'type', 'isTest'] as const;

async function raiseExpired(
  trx: Kysely<Tables>,
  expired: readonly Parameters<typeof expiredEvent>[0][],
): Promise<void> {
  await insertEvents(
    trx,
    expired.map((one) => expiredEvent(one, 'clock')),
  );
}

/**
 * Expires the oldest batch of due interactions. If it is full, also a batch in which workspaces take turns: what others
 * have due does not wait for what is left of one. Returns true when there may be more. Reads and writes check the time
 * themselves (`loadInteraction`, `expireDue`). Replicas may run it concurrently.
 */
export async function expireBatch(db: Kysely<Tables>): Promise<boolean> {
  const expired = await expireFrom(db, (due) => due.orderBy('expiresAt').limit(batchMax));
  if (expired < batchMax) return false;
  const isDueRow = sql`expires_at <= now() and ${isOpenRow}`;
  const ids = await listInTurn(db, { dueAt: sql`expires_at`, isDue: isDueRow, limit: batchMax });
  await expireFrom(db, (due) => due.where('id', '=', sql<string>`any(${ids}::uuid[])`));
  return true;
}

type DueQuery = SelectQueryBuilder<Tables, 'interaction', { id: string }>;

async function expireFrom(db: Kysely<Tables>, pick: (due: DueQuery) => DueQuery): Promise<number> {
  const expired = await db.transaction().execute(async (trx) => {
    const due = pick(
      trx.selectFrom('interaction').select('id').where('expiresAt', '<=', new Date()).where(isOpenRow),
    );
    const changed = await trx
      .updateTable('interaction')
      .set({ status: 'Expired', version: nextVersion })
      // An array, because a generic plan for a join with `due` would scan the table.
      .where('id', '=', sql<string>`any(array(${due.forUpdate().skipLocked()}))`)
      .returning(expiredColumns)
      .modifyEnd(acrossWorkspaces('interactions of all workspaces expire'))
      .execute();
    await raiseExpired(trx, changed);
    return changed;
  });
  for (const { type } of expired) countInteractions('expired', type);
  return expired.length;
}

/**
 * Returns what `read` finds. If that has due interactions, expires all of the workspace and reads again. For reads of
 * all rows of an answer that find the same interactions before and after.
 */
export async function readUnexpired<Found extends { rows: readonly Parameters<typeof isDue>[0][] }>(
  db: Kysely<Tables>,
  workspaceId: string,
  read: () => Promise<Found>,
): Promise<Found> {
  const found = await read();
  const now = new Date();
  if (!found.rows.some((row) => isDue(row, now))) return found;
  await expireDue(db, workspaceId);
  return read();
}

/**
 * Expires the due interactions of the workspace, so that lists and totals are exact. If they take longer than `msMax`,
 * the rest is left to the sweep and later calls: the call must not fail because very many are due at once.
 */
export async function expireDue(
  db: Kysely<Tables>,
  workspaceId: string,
  msMax: number = settleMsMax,
): Promise<void> {
  const now = new Date();
  const endMs = performance.now() + msMax;
  if (!(await isAnyDue(db, now))) return;
  const ofWorkspace = dueOf(db, workspaceId, now);
  for (;;) {
    // A read is cheaper than an update without effect. The order makes the planner use `interaction_due`.
    const due = await ofWorkspace.orderBy('expiresAt').limit(batchMax).execute();
    if (due.length === 0) return;
    // Locked in the order of ids to avoid a deadlock, and checked again under the lock.
    const locked = ofWorkspace
      .where('id', '=', (is) => is.fn.any(is.val(due.map(({ id }) => id))))
      .orderBy('id')
      .forUpdate();
    const expired = await db.transaction().execute(async (trx) => {
      const changed = await trx
        .updateTable('interaction')
        .set({ status: 'Expired', version: nextVersion })
        .where('workspaceId', '=', workspaceId)
        .where('id', 'in', locked)
        .returning(expiredColumns)
        .execute();
      await raiseExpired(trx, changed);
      return changed;
    });
    for (const { type } of expired) countInteractions('expired', type);
    if (due.length < batchMax || performance.now() >= endMs) return;
  }
}

export function dueOf(db: Kysely<Tables>, workspaceId: string, now: Date) {
  return db
    .selectFrom('interaction')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('expiresAt', '<=', now)
    .where(isOpenRow);
}

/** Returns whether any interaction is due. Mostly not: `expireBatch` runs every few seconds. */
async function isAnyDue(db: Kysely<Tables>, now: Date): Promise<boolean> {
  const due = await db
    .selectFrom('interaction')
    .where('expiresAt', '<=', hiddenFromPlanner(now, 'timestamptz'))
    .where(isOpenRow)
    .orderBy('expiresAt')
    .limit(sql.lit(1))
    .select('id')
    .modifyEnd(acrossWorkspaces('only whether anything is due, not whose it is'))
    .executeTakeFirst();
  return due !== undefined;
}
