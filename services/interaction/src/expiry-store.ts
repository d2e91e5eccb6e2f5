import { acrossWorkspaces } from '@parley/postgres/scope';
import { unseen } from '@parley/postgres/unseen';
import { type Kysely, sql } from 'kysely';
import { isOpenRow, nextVersion } from './interaction-store.ts';
import type { Tables } from './schema.ts';

const batchMax = 500;

/**
 * The sweep: ends a batch of what the clock has ended, in all workspaces. True when there may be more. Reading and
 * writing do not wait for it: they look at the time themselves (`loadInteraction`, `expireDue`). Any number may run.
 */
export async function expireBatch(db: Kysely<Tables>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .with('due', (query) =>
      query
        .selectFrom('interaction')
        .select('id')
        .where('expiresAt', '<=', new Date())
        .where(isOpenRow)
        .orderBy('expiresAt')
        .limit(batchMax)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('interaction')
    .set({ status: 'Expired', version: nextVersion })
    .where('id', 'in', (from) => from.selectFrom('due').select('id'))
    .modifyEnd(acrossWorkspaces('the sweep ends what the clock has ended'))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === BigInt(batchMax);
}

/** Ends all of the workspace's interactions that the clock has ended, so that lists and totals are exact. */
export async function expireDue(db: Kysely<Tables>, workspaceId: string): Promise<void> {
  const now = new Date();
  if (!(await isAnyDue(db, now))) return;
  const ofWorkspace = db
    .selectFrom('interaction')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('expiresAt', '<=', now)
    .where(isOpenRow);
  for (;;) {
    // Asking is cheaper than an update that changes nothing.
    // The index has them in this order. Without it the planner, which takes the expired for open ones, reads the table.
    const due = await ofWorkspace.orderBy('expiresAt').limit(batchMax).execute();
    if (due.length === 0) return;
    // Locked in the order of ids, so that two who list at once do not wait for each other; judged again under the lock.
    const locked = ofWorkspace
      .where('id', '=', (is) => is.fn.any(is.val(due.map(({ id }) => id))))
      .orderBy('id')
      .forUpdate();
    await db
      .updateTable('interaction')
      .set({ status: 'Expired', version: nextVersion })
      .where('workspaceId', '=', workspaceId)
      .where('id', 'in', locked)
      .execute();
    if (due.length < batchMax) return;
  }
}

/** Whether the clock has ended any whose end is not written yet. Mostly not: the sweep has been there. */
async function isAnyDue(db: Kysely<Tables>, now: Date): Promise<boolean> {
  const due = await db
    .selectFrom('interaction')
    .where('expiresAt', '<=', unseen(now, 'timestamptz'))
    .where(isOpenRow)
    .orderBy('expiresAt')
    .limit(sql.lit(1))
    .select('id')
    .modifyEnd(acrossWorkspaces('whether anything is due at all says nothing of whose it is'))
    .executeTakeFirst();
  return due !== undefined;
}
