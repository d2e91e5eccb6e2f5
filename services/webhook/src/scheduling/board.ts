import { capacity, type Lane } from './lane.ts';

const slotsMax = 512;
/** Limit of deliveries in unresponsive lanes, or in flight for longer than `slowAttemptMs`. */
const slowMax = slotsMax / 2;
/** An attempt in flight for longer counts as slow, even in a responsive lane. */
export const slowAttemptMs = 500;
/** Limits of the deliveries of one grant, and of deliveries in slow lanes, which often need new connections. */
const startsMax = 192;
const slowStartsMax = 32;
/** A workspace with more deliveries in flight comes after all others. */
const workspaceSlots = slotsMax / 4;
/** Further slots for workspaces with few in flight. No workspace can use all slots before its lanes count as slow. */
const reservedSlots = 128;
const fewSlots = 8;

/** A delivery in flight. `startedAtMs` is by `performance.now()`. */
export interface Flight {
  lane: Lane;
  startedAtMs: number;
  /** Whether the attempt is over, and its result is not recorded yet. */
  isOver: boolean;
}

export interface Grant {
  lane: Lane;
  number: number;
}

/** Decides which lanes send next. */
export interface Board {
  add(lane: Lane): void;
  remove(lane: Lane): void;
  /**
   * Grants at most `most` free slots: one to each workspace, then a second one, and within a workspace to its lanes in
   * turn. A lane without further capacity leaves the board. `nowMs` is by the database clock,
   * `monotonicMs` by `performance.now()`.
   */
  grant(flights: Iterable<Flight>, now: { nowMs: number; monotonicMs: number; most: number }): Grant[];
}

/** What a call of `grant` may still grant, and what it has granted. */
interface Slots {
  free: number;
  starts: number;
  slowStarts: number;
  taken: Map<string, number>;
  slowLanes: Set<Lane>;
  granted: Map<Lane, number>;
}

/**
 * Creates a board. Unresponsive lanes and slow attempts get at most half of the slots. Slow attempts beyond that half
 * became slow in flight: they do not count, up to the number of slots.
 */
export function createBoard(): Board {
  // Both in the order of the last grant, oldest first.
  const workspaces = new Map<string, Set<Lane>>();
  const add = (lane: Lane): void => {
    const lanes = workspaces.get(lane.workspaceId);
    if (lanes) lanes.add(lane);
    else workspaces.set(lane.workspaceId, new Set([lane]));
  };
  const remove = (lane: Lane): void => {
    const lanes = workspaces.get(lane.workspaceId);
    lanes?.delete(lane);
    if (lanes?.size === 0) workspaces.delete(lane.workspaceId);
  };
  /** Removes lanes without capacity. Returns the capacities of the others. */
  const readCapacities = (nowMs: number): Map<Lane, number> => {
    const capacities = new Map<Lane, number>();
    for (const lanes of workspaces.values()) {
      for (const lane of lanes) {
        const number = capacity(lane, nowMs);
        if (number > 0) capacities.set(lane, number);
        else remove(lane);
      }
    }
    return capacities;
  };
  /** Returns false if no workspace may have a slot. */
  const grantInTurn = (
    slots: Slots,
    capacities: ReadonlyMap<Lane, number>,
    workspaceMax: number,
  ): boolean => {
    let isGranted = false;
    // A copy, since the loop moves workspaces to the end.
    for (const [workspaceId, lanes] of Array.from(workspaces)) {
      const taken = slots.taken.get(workspaceId) ?? 0;
      if (taken >= workspaceMax || slots.free <= (taken < fewSlots ? 0 : reservedSlots)) continue;
      const lane = grantLane(lanes, slots);
      if (!lane) continue;
      workspaces.delete(workspaceId);
      workspaces.set(workspaceId, lanes);
      if (slots.granted.get(lane) === capacities.get(lane)) remove(lane);
      isGranted = true;
    }
    return isGranted;
  };
  return {
    add,
    remove,
    grant: (flights, { nowMs, monotonicMs, most }) => {
      const slots = freeSlots(flights, monotonicMs, most);
      const capacities = readCapacities(nowMs);
      for (const workspaceMax of [workspaceSlots, Number.POSITIVE_INFINITY]) {
        while (grantInTurn(slots, capacities, workspaceMax));
      }
      return Array.from(slots.granted, ([lane, number]) => ({ lane, number }));
    },
  };
}

/** Grants a slot to the next lane of a workspace, and moves it to the end. Undefined if no lane may have one. */
function grantLane(lanes: Set<Lane>, slots: Slots): Lane | undefined {
  if (slots.starts === 0) return undefined;
  for (const lane of lanes) {
    const isSlow = !lane.isResponsive || slots.slowLanes.has(lane);
    if (isSlow && slots.slowStarts <= 0) continue;
    slots.free -= 1;
    slots.starts -= 1;
    slots.slowStarts -= Number(isSlow);
    slots.taken.set(lane.workspaceId, (slots.taken.get(lane.workspaceId) ?? 0) + 1);
    slots.granted.set(lane, (slots.granted.get(lane) ?? 0) + 1);
    lanes.delete(lane);
    lanes.add(lane);
    return lane;
  }
  return undefined;
}

function freeSlots(flights: Iterable<Flight>, monotonicMs: number, most: number): Slots {
  const taken = new Map<string, number>();
  const slowLanes = new Set<Lane>();
  let [all, slowAttempts, slow] = [0, 0, 0];
  for (const { lane, startedAtMs, isOver } of flights) {
    const isSlowAttempt = !isOver && monotonicMs - startedAtMs > slowAttemptMs;
    if (isSlowAttempt) slowLanes.add(lane);
    taken.set(lane.workspaceId, (taken.get(lane.workspaceId) ?? 0) + 1);
    all += 1;
    slowAttempts += Number(isSlowAttempt);
    slow += Number(isSlowAttempt || !lane.isResponsive);
  }
  const uncounted = Math.min(slotsMax, Math.max(0, slowAttempts - slowMax));
  return {
    free: slotsMax + reservedSlots - all + uncounted,
    starts: Math.min(startsMax, most),
    slowStarts: Math.min(slowStartsMax, slowMax - slow),
    taken,
    slowLanes,
    granted: new Map(),
  };
}
