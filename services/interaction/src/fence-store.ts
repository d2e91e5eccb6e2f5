import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** Whose fence it is. */
export interface FencedCustomer {
  workspaceId: string;
  customerId: string;
}

/**
 * From when this resolves, nothing that was read of the customer before `version` comes into a row any more, and what did
 * is committed. A fence is never lowered. Answers when it was raised to where it is.
 */
export async function raiseFence(
  db: Kysely<Tables>,
  { workspaceId, customerId }: FencedCustomer,
  version: number,
): Promise<Date> {
  // It writes and waits for a lock: as a plain select it would share a connection, and hold up the reads there.
  const { rows } = await sql<{ raisedAt: Date }>`
    with raised as materialized (
      select raise_fence(${workspaceId}, ${customerId}, ${version}) as raised_at
    ) select raised_at from raised`.execute(db);
  const [fence] = rows;
  if (!fence) throw new Error('a select without a table has one row');
  return fence.raisedAt;
}
