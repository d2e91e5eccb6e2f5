import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { type InteractionRow, interactionColumns } from './interaction-store.ts';
import type { Tables } from './schema.ts';

/** A talk whose question to the model this process has for the time of a lease. */
export interface Claimed extends InteractionRow {
  /** How often the question was taken, this time included. */
  modelTries: number;
  /** Of what made it wait. */
  modelTraceparent: string | null;
}

/** Which talks to take, and for how long. */
interface Claim {
  leaseMs: number;
  limit: number;
  /** Only what nobody has taken for so long since it was due. */
  waitedMs?: number;
  /** Of one workspace, with what is under way of it. */
  ofOneMax?: number;
  /** How many this process has under way, by workspace. */
  underWay?: Record<string, number>;
}

/**
 * Takes talks that wait for the model, those that wait longest first; none that another process has. Until the lease
 * has run out no other can take them. A row's version stays: it is as it was read.
 */
export async function claimWaiting(
  db: Kysely<Tables>,
  { leaseMs, limit, waitedMs = 0, ofOneMax = limit, underWay = {} }: Claim,
): Promise<Claimed[]> {
  const now = new Date();
  const dueAt = new Date(now.getTime() - waitedMs);
  // The status is spelled out in the text: the planner must see that the partial index fits.
  const isWaiting = sql<SqlBool>`
    status = 'InProgress' and model_due_at <= ${dueAt} and (expires_at is null or expires_at > ${now})`;
  return db
    .with('ranked', () => {
      const before = sql`coalesce((${JSON.stringify(underWay)}::jsonb ->> workspace_id::text)::int, 0)`;
      return sql<{ id: string; place: number }>`
        (select id, ${before} + row_number() over (partition by workspace_id order by model_due_at) as place
        from interaction where ${isWaiting})`;
    })
    .with('due', (query) =>
      query
        .selectFrom('interaction')
        .select('id')
        .where('id', 'in', (from) => from.selectFrom('ranked').select('id').where('place', '<=', ofOneMax))
        // Looked at again once the row is locked.
        .where(isWaiting)
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
    .returning([...interactionColumns, 'modelTries', 'modelTraceparent'])
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
