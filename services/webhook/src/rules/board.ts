import { capacity, type Lane } from './lane.ts';

/** Limit of deliveries in flight. */
const slotsMax = 512;
/** Limit of those in unresponsive lanes, or in flight for longer than `lastingMsMin`. */
const slowMax = slotsMax / 2;
/** An attempt that lasts longer counts as slow, even in a responsive lane. */
export const lastingMsMin = 500;
/** Limits of the deliveries of one grant, and of those in slow lanes, which often need new connections. */
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

/** How many deliveries of a lane to start. */
export interface Grant {
  lane: Lane;
  number: number;
}

/** Decides which lanes send next. */
export interface Board {
  /** Adds a lane with due deliveries. */
  add(lane: Lane): void;
  remove(lane: Lane): void;
  /**
   * Grants at most `most` free slots: one to each workspace, then a second one, and within a workspace to its lanes in
   * turn. A lane without further capacity leaves the board. `nowMs` is by the database clock.
   */
  grant(flights: Iterable<Flight>, now: { nowMs: number; steadyMs: number; most: number }): Grant[];
}

/** The slots that are left. */
interface Slots {
  free: number;
  starts: number;
  slowStarts: number;
  /** How many deliveries each workspace has in flight. */
  taken: Map<string, number>;
  /** Lanes with a slow attempt in flight. */
  lasting: Set<Lane>;
}

/** A lane with capacity (`left`), and how many slots it was granted. */
interface Seat extends Grant {
  left: number;
  isSlow: boolean;
  /** How many starts were left when it was served last. The fewer, the later. */
  startsLeft: number;
}

/** The lanes of a workspace that have capacity, and the index of the next one. */
interface Queue {
  workspaceId: string;
  seats: Seat[];
  next: number;
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
  /** Moves a served lane and its workspace to the end. Removes a lane without further capacity. */
  const requeue = ({ lane, number, left }: Seat): void => {
    const lanes = workspaces.get(lane.workspaceId) ?? new Set();
    lanes.delete(lane);
    workspaces.delete(lane.workspaceId);
    if (number < left) lanes.add(lane);
    if (lanes.size > 0) workspaces.set(lane.workspaceId, lanes);
  };
  return {
    add,
    remove,
    grant: (flights, { nowMs, steadyMs, most }) => {
      const slots = freeSlots(flights, steadyMs, most);
      const queues: Queue[] = [];
      for (const [workspaceId, lanes] of workspaces) {
        const seats = seatsOf(lanes, slots, nowMs);
        if (seats.length > 0) queues.push({ workspaceId, seats, next: 0 });
      }
      for (const workspaceMax of [workspaceSlots, Number.POSITIVE_INFINITY]) {
        while (grantRound(queues, slots, workspaceMax));
      }
      const grants = queues.flatMap(({ seats }) => seats.filter(({ number }) => number > 0));
      for (const seat of grants.toSorted((one, other) => other.startsLeft - one.startsLeft)) requeue(seat);
      return grants.map(({ lane, number }) => ({ lane, number }));
    },
  };
}

/** Returns the lanes with capacity, and removes the others from the board. */
function seatsOf(lanes: Set<Lane>, { lasting }: Slots, nowMs: number): Seat[] {
  const seats: Seat[] = [];
  for (const lane of lanes) {
    const left = capacity(lane, nowMs);
    const isSlow = !lane.isResponsive || lasting.has(lane);
    if (left > 0) seats.push({ lane, left, number: 0, isSlow, startsLeft: 0 });
    else lanes.delete(lane);
  }
  return seats;
}

/** Grants one slot to each workspace that may have it. Returns false if none may. */
function grantRound(queues: readonly Queue[], slots: Slots, workspaceMax: number): boolean {
  let isGranted = false;
  for (const queue of queues) {
    const taken = slots.taken.get(queue.workspaceId) ?? 0;
    const isFree = slots.starts > 0 && slots.free > (taken < fewSlots ? 0 : reservedSlots);
    const seat = isFree && taken < workspaceMax && nextSeat(queue, slots);
    if (!seat) continue;
    seat.number += 1;
    slots.free -= 1;
    slots.starts -= 1;
    seat.startsLeft = slots.starts;
    slots.slowStarts -= Number(seat.isSlow);
    slots.taken.set(queue.workspaceId, taken + 1);
    isGranted = true;
  }
  return isGranted;
}

function nextSeat(queue: Queue, { slowStarts }: Slots): Seat | undefined {
  const { seats, next } = queue;
  for (let step = 0; step < seats.length; step += 1) {
    const at = (next + step) % seats.length;
    const seat = seats[at];
    if (!seat || seat.number >= seat.left || (seat.isSlow && slowStarts <= 0)) continue;
    queue.next = at + 1;
    return seat;
  }
  return undefined;
}

function freeSlots(flights: Iterable<Flight>, steadyMs: number, most: number): Slots {
  const taken = new Map<string, number>();
  const lasting = new Set<Lane>();
  let [all, last, slow] = [0, 0, 0];
  for (const { lane, startedAtMs, isOver } of flights) {
    const isLasting = !isOver && steadyMs - startedAtMs > lastingMsMin;
    if (isLasting) lasting.add(lane);
    taken.set(lane.workspaceId, (taken.get(lane.workspaceId) ?? 0) + 1);
    all += 1;
    last += Number(isLasting);
    slow += Number(isLasting || !lane.isResponsive);
  }
  const uncounted = Math.min(slotsMax, Math.max(0, last - slowMax));
  return {
    free: slotsMax + reservedSlots - all + uncounted,
    starts: Math.min(startsMax, most),
    slowStarts: Math.min(slowStartsMax, slowMax - slow),
    taken,
    lasting,
  };
}
