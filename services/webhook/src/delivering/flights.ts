import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import type { Flight } from './board.ts';
import { hold } from './due-store.ts';
import type { Lane } from './lane.ts';

/** The deliveries that this replica has in flight: their attempts are being made, or have to be recorded. */
export interface Flights {
  start(id: string, lane: Lane): void;
  has(id: string): boolean;
  /** The attempt is over. */
  end(id: string): void;
  /** The result is recorded. Returns the lane. */
  remove(id: string): Lane | undefined;
  all(): Iterable<Flight>;
  /** Returns the ids of the deliveries of these lanes. */
  idsOf(lanes: ReadonlySet<Lane>): string[];
  /**
   * Marks those in the database that are not yet: nobody else sends them. To be called in turn with recording, which ends
   * what is marked. False when some were locked.
   */
  hold(isHeld: (flight: Flight) => boolean): Promise<boolean>;
}

export function createFlights(db: Kysely<Tables>, replicaId: string): Flights {
  const flights = new Map<string, Flight & { isHeld: boolean }>();
  return {
    start: (id, lane) => {
      flights.set(id, { lane, startedAtMs: performance.now(), isOver: false, isHeld: false });
    },
    has: (id) => flights.has(id),
    end: (id) => {
      const flight = flights.get(id);
      if (flight) flight.isOver = true;
    },
    remove: (id) => {
      const lane = flights.get(id)?.lane;
      flights.delete(id);
      return lane;
    },
    all: () => flights.values(),
    idsOf: (lanes) => Array.from(flights).flatMap(([id, { lane }]) => (lanes.has(lane) ? [id] : [])),
    hold: async (isHeld) => {
      const held = Array.from(flights).filter(([, flight]) => !flight.isHeld && isHeld(flight));
      if (held.length === 0) return true;
      const deliveries = held.map(([id, { lane }]) => ({ id, webhookId: lane.webhookId }));
      const locked = await hold(db, replicaId, deliveries);
      for (const [id, flight] of held) flight.isHeld = !locked.includes(id);
      return locked.length === 0;
    },
  };
}
