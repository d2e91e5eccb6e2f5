import { interactionStalled } from '@parley/contracts/events';
import { insertEvents, newEvent } from '@parley/events/log';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { sweepInShares } from './sweep.ts';

const batchMax = 500;

/**
 * Raises the event of a batch of conversations that nobody has answered for too long, in shares of workspaces: once,
 * until the next answer sets `stallsAt` again. Returns true when there may be more. Replicas may run it concurrently.
 */
export async function stallBatch(db: Kysely<Tables>): Promise<boolean> {
  return sweepInShares(batchMax, (except) => stallOthers(db, except));
}

/** Raises the events of a batch, except for these workspaces. Returns the workspace of each conversation. */
async function stallOthers(db: Kysely<Tables>, except: readonly string[]): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    // No new version: nothing that clients or customers see changes.
    const { rows } = await sql<{
      id: string;
      workspaceId: string;
      customerId: string;
      stepId: string | null;
      isTest: boolean;
    }>`
      ${acrossWorkspaces('conversations of all workspaces stall')}
      update interaction set stalls_at = null
      where id = any(array(
        select id from interaction where status = 'InProgress' and stalls_at <= now()
          and workspace_id <> all(${except}::uuid[])
          and (expires_at is null or expires_at > now())
          -- While it waits for the model, the customer cannot answer.
          and model_due_at is null
        order by stalls_at limit ${batchMax} for update skip locked))
      returning id, workspace_id, customer_id, state ->> 'stepId' as step_id, is_test`.execute(trx);
    const events = rows.map(({ id: interactionId, workspaceId, customerId, stepId, isTest }) => {
      const about = { interactionId, workspaceId, customerId, isTest: isTest || undefined };
      return newEvent(interactionStalled, { ...about, lastStepId: stepId ?? '' });
    });
    await insertEvents(trx, events);
    return rows.map(({ workspaceId }) => workspaceId);
  });
}
