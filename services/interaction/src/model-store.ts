import { acrossWorkspaces } from '@parley/postgres/scope';
import type { Kysely } from 'kysely';
import { type InteractionRow, interactionColumns } from './interaction-store.ts';
import type { Tables } from './schema.ts';

/** A talk whose question to the model this process has for the time of a lease. */
export interface Claimed extends InteractionRow {
  /** How often the question was taken, this time included. */
  modelTries: number;
}

/**
 * Takes up to `limit` talks that wait for the model, those that wait longest first; none that another process has. Until
 * the lease has run out no other can take them. A row's version stays: it is as it was read.
 */
export async function claimWaiting(
  db: Kysely<Tables>,
  { leaseMs, limit }: { leaseMs: number; limit: number },
): Promise<Claimed[]> {
  const now = new Date();
  return db
    .with('due', (query) =>
      query
        .selectFrom('interaction')
        .select('id')
        .where('status', '=', 'InProgress')
        .where('modelDueAt', '<=', now)
        .where((is) => is.or([is('expiresAt', 'is', null), is('expiresAt', '>', now)]))
        .orderBy('modelDueAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('interaction')
    .set((to) => ({
      modelDueAt: new Date(now.getTime() + leaseMs),
      modelTries: to('modelTries', '+', 1),
    }))
    .where('id', 'in', (from) => from.selectFrom('due').select('id'))
    .returning([...interactionColumns, 'modelTries'])
    .modifyEnd(acrossWorkspaces('questions to the model are asked whosever they are'))
    .execute();
}

/** Gives back a talk that was taken and not seen to, unless it has changed: others may take it at once. */
export async function giveBack(
  db: Kysely<Tables>,
  { workspaceId, id, version, modelTries }: Claimed,
): Promise<void> {
  await db
    .updateTable('interaction')
    .set({ modelDueAt: new Date(), modelTries: modelTries - 1 })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('modelTries', '=', modelTries)
    .execute();
}
