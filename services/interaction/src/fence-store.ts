import { type Kysely, type RawBuilder, sql } from 'kysely';
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

/**
 * The customer's fence as a table of one row: version 0 and null where none was raised. It is held until the end of the
 * transaction: a row that is written only where its details' version is not below the fence's cannot come too late.
 */
export function heldFence({
  workspaceId,
  customerId,
}: FencedCustomer): RawBuilder<{ version: number; raisedAt: Date | null }> {
  return sql`hold_fence(${workspaceId}, ${customerId})`;
}
