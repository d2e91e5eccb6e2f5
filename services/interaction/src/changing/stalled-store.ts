import { interactionStalled } from '@parley/contracts/events';
import { insertEvents, newEvent } from '@parley/events/log';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { listInTurn } from './due-in-turn.ts';

const batchMax = 500;

const isDue = sql`
  status = 'InProgress' and stalls_at <= now() and (expires_at is null or expires_at > now())
  -- While it waits for the model, the customer cannot answer.
  and model_due_at is null`;

/**
 * Raises the event of a batch of conversations that nobody has answered for too long: once, until the next answer sets
 * `stallsAt` again. They are the oldest batch, and if that is full, also a batch in which workspaces take turns, as in
 * `expireBatch`. Returns true when there may be more. Replicas may run it concurrently.
 */
export async function stallBatch(db: Kysely<Tables>): Promise<boolean> {
  const stalled = await stallFrom(db, sql`${isDue} order by stalls_at limit ${batchMax}`);
  if (stalled < batchMax) return false;
  const ids = await listInTurn(db, { dueAt: sql`stalls_at`, isDue, limit: batchMax });
  await stallFrom(db, sql`${isDue} and id = any(${ids}::uuid[])`);
  return true;
}

async function stallFrom(db: Kysely<Tables>, which: RawBuilder<unknown>): Promise<number> {
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
      where id = any(array(select id from interaction where ${which} for update skip locked))
      returning id, workspace_id, customer_id, state ->> 'stepId' as step_id, is_test`.execute(trx);
    const events = rows.map(({ id: interactionId, workspaceId, customerId, stepId, isTest }) => {
      const about = { interactionId, workspaceId, customerId, isTest: isTest || undefined };
      return newEvent(interactionStalled, { ...about, lastStepId: stepId ?? '' });
    });
    await insertEvents(trx, events);
    return rows.length;
  });
}
