import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { type InteractionRow, interactionColumns } from '../interactions/store.ts';
import type { Tables } from '../schema.ts';

export interface Claimed extends InteractionRow {
  /** How often the question was claimed, this time included. */
  modelTries: number;
  /** Of the call that made it wait. */
  modelTraceparent: string | null;
}

/** Which conversations to claim, and for how long. */
interface Claim {
  leaseMs: number;
  limit: number;
  /** Claims only conversations that have been due, without a claim, for at least this time. */
  waitedMs?: number;
  /** The limit per workspace, including `inFlight`. */
  perWorkspaceMax?: number;
  /** The questions in flight of this process, by workspace. */
  inFlight?: Record<string, number>;
}

/**
 * Claims conversations that wait for the model, and none that are claimed: the oldest of each workspace first, then
 * their second ones. No other process can claim
 * them until the lease has expired. A claim keeps the row's version.
 */
export async function claimWaiting(
  db: Kysely<Tables>,
  { leaseMs, limit, waitedMs = 0, perWorkspaceMax = limit, inFlight = {} }: Claim,
): Promise<Claimed[]> {
  const now = new Date();
  const dueAt = new Date(now.getTime() - waitedMs);
  // The status is spelled out in the text: the planner must see that the partial index fits.
  const isWaiting = sql<SqlBool>`
    status = 'InProgress' and model_due_at <= ${dueAt} and (expires_at is null or expires_at > ${now})`;
  return (
    db
      .with('ranked', () => {
        const before = sql`coalesce((${JSON.stringify(inFlight)}::jsonb ->> workspace_id::text)::int, 0)`;
        return sql<{ id: string; place: number }>`
        (select id, ${before} + row_number() over (partition by workspace_id order by model_due_at) as place
        from interaction where ${isWaiting})`;
      })
      .with('due', (query) =>
        query
          .selectFrom('interaction')
          .innerJoin('ranked', 'ranked.id', 'interaction.id')
          .select('interaction.id')
          .where('ranked.place', '<=', perWorkspaceMax)
          // Checked again under the row lock.
          .where(isWaiting)
          .orderBy('ranked.place')
          .orderBy('modelDueAt')
          .limit(limit)
          .forUpdate('interaction')
          .skipLocked(),
      )
      .updateTable('interaction')
      .set((to) => ({
        modelDueAt: new Date(now.getTime() + leaseMs),
        modelTries: to('modelTries', '+', 1),
      }))
      // An array, because a generic plan for a join with `due` would scan the table.
      .where('id', '=', sql<string>`any(array(select id from due))`)
      .returning([...interactionColumns, 'modelTries', 'modelTraceparent'])
      .modifyEnd(acrossWorkspaces('the model is asked for all workspaces'))
      .execute()
  );
}

/** Releases a claim, unless the row has changed: others may claim it at once. */
export async function releaseClaim(
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
