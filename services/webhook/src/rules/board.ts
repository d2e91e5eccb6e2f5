import { capacity, type Lane } from './lane.ts';

/** How many deliveries may be in flight while receivers answer. */
const slotsMax = 512;
/** How many of them in lanes that are not responsive, or for longer than `lastingMsMin`. */
const slowMax = slotsMax / 2;
/** An attempt that lasts longer counts as slow, whatever its lane was before. */
export const lastingMsMin = 500;
/** How many are started at once, and how many of them in slow lanes, which often have to be connected to. */
const startsMax = 192;
const slowStartsMax = 32;
/** A workspace with more in flight comes after all others. */
const workspaceSlots = slotsMax / 4;
/** Further slots, for workspaces with few in flight: nobody's receivers can take all slots before they are known as slow. */
const reservedSlots = 128;
const fewSlots = 8;

/** A delivery in flight. `startedAtMs` is by `performance.now()`. */
export interface Flight {
  lane: Lane;
  startedAtMs: number;
  /** The attempt is over; its result is to be recorded. */
  isOver: boolean;
}

/** How many deliveries of a lane to start. */
export interface Grant {
  lane: Lane;
  number: number;
}

/** Decides what is sent next. */
export interface Board {
  /** Something is due in the lane. */
  add(lane: Lane): void;
  remove(lane: Lane): void;
  /**
   * Grants free slots: to each workspace one, then to each a second one, to its lanes in turn. A lane that can take no
   * more leaves the board. `most`: no more than so many, whatever is free. `nowMs` is by the database clock.
   */
  grant(flights: Iterable<Flight>, now: { nowMs: number; steadyMs: number; most: number }): Grant[];
}

/** What is left to be granted. */
interface Slots {
  free: number;
  starts: number;
  slowStarts: number;
  /** How many deliveries each workspace has in flight. */
  held: Map<string, number>;
  /** Lanes with an attempt that lasts. */
  lasting: Set<Lane>;
}

/** A lane that can take something: how much, and what it was granted. */
interface Seat extends Grant {
  left: number;
  isSlow: boolean;
  /** How many starts were left when it was served last: the fewer, the later that was. */
  startsLeft: number;
}

/** The lanes of a workspace that can take something, and whose turn it is. */
interface Queue {
  workspaceId: string;
  seats: Seat[];
  next: number;
}

/**
 * Creates a board. Half of the slots are for lanes that are not responsive and attempts that last. Lasting attempts
 * beyond that half are not counted, up to as many as there are slots: they turned slow all at once.
 */
export function createBoard(): Board {
  // Both least recently served first.
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
  /** Puts a lane that was served, and its workspace, behind all others. A lane that can take no more leaves the board. */
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

/** Leaves out lanes that can take nothing; they leave the board. */
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

/** Grants one slot to each workspace that may have it. False when none may. */
function grantRound(queues: readonly Queue[], slots: Slots, workspaceMax: number): boolean {
  let isGranted = false;
  for (const queue of queues) {
    const held = slots.held.get(queue.workspaceId) ?? 0;
    const isFree = slots.starts > 0 && slots.free > (held < fewSlots ? 0 : reservedSlots);
    const seat = isFree && held < workspaceMax && nextSeat(queue, slots);
    if (!seat) continue;
    seat.number += 1;
    slots.free -= 1;
    slots.starts -= 1;
    seat.startsLeft = slots.starts;
    slots.slowStarts -= Number(seat.isSlow);
    slots.held.set(queue.workspaceId, held + 1);
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
  const held = new Map<string, number>();
  const lasting = new Set<Lane>();
  let [all, last, slow] = [0, 0, 0];
  for (const { lane, startedAtMs, isOver } of flights) {
    const isLasting = !isOver && steadyMs - startedAtMs > lastingMsMin;
    if (isLasting) lasting.add(lane);
    held.set(lane.workspaceId, (held.get(lane.workspaceId) ?? 0) + 1);
    all += 1;
    last += Number(isLasting);
    slow += Number(isLasting || !lane.isResponsive);
  }
  const uncounted = Math.min(slotsMax, Math.max(0, last - slowMax));
  return {
    free: slotsMax + reservedSlots - all + uncounted,
    starts: Math.min(startsMax, most),
    slowStarts: Math.min(slowStartsMax, slowMax - slow),
    held,
    lasting,
  };
}
