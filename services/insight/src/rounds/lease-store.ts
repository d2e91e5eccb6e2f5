import { acrossWorkspaces } from '@parley/postgres/sql/scope';
import { sql } from 'kysely';
import type { Db, Trx } from '../schema.ts';

const heldSeconds = 6;
const ofReplicas = acrossWorkspaces('the lease belongs to a replica, not to a workspace');

/**
 * Returns whether this replica is the one that does the rounds and scans, and extends its lease then. Another replica
 * takes over 6 seconds after the last call. A replica that is late may count at the same time, which changes no figure.
 * What says how far all is counted, it writes in `whileHolding`.
 */
export async function claimLease(db: Db, replica: string): Promise<boolean> {
  const { rows } = await sql`
    ${ofReplicas}
    insert into lease as held (holder, held_until) values (${replica}, now() + ${heldSeconds} * interval '1 second')
    on conflict (is_only) do update set holder = excluded.holder, held_until = excluded.held_until
      where held.holder = excluded.holder or held.held_until < now()
    returning true`.execute(db);
  return rows.length === 1;
}

/**
 * Runs `work` in a transaction during which no other replica takes over. Returns false, without running it, if another
 * one has.
 */
export async function whileHolding(
  db: Db,
  replica: string,
  work: (trx: Trx) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      ${ofReplicas}
      select from lease where holder = ${replica} for share`.execute(trx);
    if (rows.length === 0) return false;
    await work(trx);
    return true;
  });
}

/** Lets another replica take over at once. */
export async function releaseLease(db: Db, replica: string): Promise<void> {
  await sql`
    ${ofReplicas}
    update lease set held_until = '-infinity' where holder = ${replica}`.execute(db);
}
