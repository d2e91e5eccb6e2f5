import type { Flight } from '../scheduling/board.ts';
import type { Db } from '../schema.ts';
import { claim } from './due-store.ts';

/** The deliveries that this replica has in flight, by id: until their results are recorded. */
export type Flights = Map<string, Flight & { isClaimed: boolean; attempt: Promise<void> }>;

/**
 * Claims matching deliveries that have no claim yet, so that no other replica sends them. Must not run while results
 * are recorded, which releases claims. Returns false if some rows were locked.
 */
export async function claimFlights(
  db: Db,
  replicaId: string,
  flights: Flights,
  isMatch: (flight: Flight) => boolean,
): Promise<boolean> {
  const matching = Array.from(flights).filter(([, flight]) => !flight.isClaimed && isMatch(flight));
  if (matching.length === 0) return true;
  const deliveries = matching.map(([id, { lane }]) => ({ id, webhookId: lane.webhookId }));
  const locked = await claim(db, replicaId, deliveries);
  for (const [id, flight] of matching) flight.isClaimed = !locked.includes(id);
  return locked.length === 0;
}
