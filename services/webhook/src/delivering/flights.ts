import type { Kysely } from 'kysely';
import type { Flight } from '../rules/board.ts';
import type { Lane } from '../rules/lane.ts';
import type { Tables } from '../schema.ts';
import { claim } from './due-store.ts';

/** The deliveries that this replica has in flight: until their results are recorded. */
export class Flights {
  readonly #db: Kysely<Tables>;
  readonly #replicaId: string;
  readonly #flights = new Map<string, Flight & { isClaimed: boolean }>();

  constructor(db: Kysely<Tables>, replicaId: string) {
    this.#db = db;
    this.#replicaId = replicaId;
  }

  start(id: string, lane: Lane): void {
    this.#flights.set(id, { lane, startedAtMs: performance.now(), isOver: false, isClaimed: false });
  }

  has(id: string): boolean {
    return this.#flights.has(id);
  }

  /** Notes that the attempt is over. */
  end(id: string): void {
    const flight = this.#flights.get(id);
    if (flight) flight.isOver = true;
  }

  /** Removes a delivery whose result is recorded. Returns its lane. */
  remove(id: string): Lane | undefined {
    const lane = this.#flights.get(id)?.lane;
    this.#flights.delete(id);
    return lane;
  }

  all(): Iterable<Flight> {
    return this.#flights.values();
  }

  /** Returns the ids of the deliveries of these lanes. */
  idsOf(lanes: ReadonlySet<Lane>): string[] {
    return Array.from(this.#flights).flatMap(([id, { lane }]) => (lanes.has(lane) ? [id] : []));
  }

  /**
   * Claims matching deliveries that have no claim yet, so that no other replica sends them. Must not run while results
   * are recorded, which releases claims. Returns false if some rows were locked.
   */
  async claim(isMatch: (flight: Flight) => boolean): Promise<boolean> {
    const matching = Array.from(this.#flights).filter(([, flight]) => !flight.isClaimed && isMatch(flight));
    if (matching.length === 0) return true;
    const deliveries = matching.map(([id, { lane }]) => ({ id, webhookId: lane.webhookId }));
    const locked = await claim(this.#db, this.#replicaId, deliveries);
    for (const [id, flight] of matching) flight.isClaimed = !locked.includes(id);
    return locked.length === 0;
  }
}
