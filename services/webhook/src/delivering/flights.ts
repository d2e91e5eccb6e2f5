import type { Kysely } from 'kysely';
import type { Flight } from '../rules/board.ts';
import type { Lane } from '../rules/lane.ts';
import type { Tables } from '../schema.ts';
import { hold } from './due-store.ts';

/** The deliveries that this replica has in flight: their attempts are being made, or have to be recorded. */
export class Flights {
  readonly #db: Kysely<Tables>;
  readonly #replicaId: string;
  readonly #flights = new Map<string, Flight & { isHeld: boolean }>();

  constructor(db: Kysely<Tables>, replicaId: string) {
    this.#db = db;
    this.#replicaId = replicaId;
  }

  start(id: string, lane: Lane): void {
    this.#flights.set(id, { lane, startedAtMs: performance.now(), isOver: false, isHeld: false });
  }

  has(id: string): boolean {
    return this.#flights.has(id);
  }

  /** The attempt is over. */
  end(id: string): void {
    const flight = this.#flights.get(id);
    if (flight) flight.isOver = true;
  }

  /** The result is recorded. Returns the lane. */
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
   * Marks those in the database that are not yet marked, so that no other replica sends them. Must not run while results
   * are recorded, which clears marks. Returns false when some rows were locked.
   */
  async hold(isHeld: (flight: Flight) => boolean): Promise<boolean> {
    const held = Array.from(this.#flights).filter(([, flight]) => !flight.isHeld && isHeld(flight));
    if (held.length === 0) return true;
    const deliveries = held.map(([id, { lane }]) => ({ id, webhookId: lane.webhookId }));
    const locked = await hold(this.#db, this.#replicaId, deliveries);
    for (const [id, flight] of held) flight.isHeld = !locked.includes(id);
    return locked.length === 0;
  }
}
