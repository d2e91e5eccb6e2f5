import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';

/** The customer of a fence. */
export interface FencedCustomer {
  workspaceId: string;
  customerId: string;
}

/**
 * Raises the customer's fence to `version`. Afterwards, no details from before that version are written, and all that
 * were written are committed. A fence never falls. Returns when it was raised to its version.
 */
export async function raiseFence(
  db: Kysely<Tables>,
  { workspaceId, customerId }: FencedCustomer,
  version: number,
): Promise<Date> {
  // A plain select would share a connection, and this one waits for a lock: the reads there would wait too.
  const { rows } = await sql<{ raisedAt: Date }>`
    with raised as materialized (
      select raise_fence(${workspaceId}, ${customerId}, ${version}) as raised_at
    ) select raised_at from raised`.execute(db);
  const [fence] = rows;
  if (!fence) throw new Error('a select without a table has one row');
  return fence.raisedAt;
}
