import * as leases from '@parley/postgres/lease';
import type { Db, Trx } from '../schema.ts';

const lease: leases.Lease = { table: 'lease', key: { isOnly: true }, heldSeconds: 6 };

/**
 * Claims the rounds and scans for this replica, or extends its claim. Undefined if another replica does them. A replica
 * that is late may count at the same time, which changes no figure. What says how far all is counted, it writes in
 * `whileHolding`.
 */
export function claimLease(db: Db, replica: string): Promise<leases.Held | undefined> {
  return leases.claimLease(db, lease, replica);
}

/** Runs `work` in a transaction under a claim. Returns false, without running it, if the claim has ended. */
export function whileHolding(db: Db, held: leases.Held, work: (trx: Trx) => Promise<void>): Promise<boolean> {
  return leases.whileHeld(db, lease, held, work);
}

/** Lets another replica take over at once. */
export function releaseLease(db: Db, replica: string): Promise<void> {
  return leases.releaseLease(db, lease, replica);
}
