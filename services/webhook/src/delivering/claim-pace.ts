import { lanesSeenMax, nextLanes } from './claim-lanes.ts';
import { attemptsAtOnce, type Room } from './slots.ts';

/** What the claims of a process so far mean for its next one. */
export interface Pace {
  /** When one was begun last, or was not for want of slots; milliseconds of a steady clock. */
  begunAtMs: number;
  /** Of how many prompt lanes the next one takes: see `nextLanes`. */
  lanes: number;
  /**
   * There may be something due that only lacks slots, so a result that frees some calls for a claim. Whether it is so, the
   * answer to a claim says; as long as there is none, it may be.
   */
  isShort: boolean;
}

/** Before the first claim. */
export const firstPace: Pace = { begunAtMs: 0, lanes: lanesSeenMax, isShort: false };

/** What to do about a claim: make it, or not before a time is over, or not before a slot is free. */
export type Step = { kind: 'claim' } | { kind: 'wait'; ms: number } | { kind: 'full' };

/** What is found when it is time to look. */
interface Present {
  /** In how many milliseconds something may be sent; 0: now. See `Egress`. */
  sendableInMs: number;
  room: Pick<Room, 'slots' | 'reserved'>;
  /** How much longer results are gathered, and with them slots; 0 where few come. See `Recorder`. */
  gatheringLeftMs: number;
}

/**
 * Whether to claim. Nothing is taken that could not be sent. When slots are what is missing, and fewer are free than one claim
 * can take, it waits for those that are being gathered.
 */
export function nextStep(pace: Pace, { sendableInMs, room, gatheringLeftMs }: Present): Step {
  if (sendableInMs > 0) return { kind: 'wait', ms: sendableInMs };
  const couldTakeMoreLater = pace.isShort && unreserved(room) < attemptsAtOnce;
  if (couldTakeMoreLater && gatheringLeftMs > 0) return { kind: 'wait', ms: gatheringLeftMs };
  return { kind: room.slots > 0 ? 'claim' : 'full' };
}

/** After it was time for a claim, and before there is an answer to it. */
export function begun(pace: Pace, nowMs: number): Pace {
  return { ...pace, begunAtMs: nowMs, isShort: true };
}

/** What a claim has found. */
interface Found {
  /** How many deliveries it took, and how many of them of lanes that are not prompt. */
  taken: number;
  takenSlow: number;
  /** As `claimDue` answers them. */
  isMore: boolean;
  lanesSeen: number;
}

/** After a claim that had this room. */
export function answered(
  pace: Pace,
  room: Pick<Room, 'slots' | 'reserved' | 'slowSlots' | 'hanging'>,
  { taken, takenSlow, isMore, lanesSeen }: Found,
): Pace {
  // What is reserved, others than those with few cannot fill; and what hangs is seen beside the others.
  const slots = unreserved(room);
  const ready = Math.max(0, lanesSeen - room.hanging.length);
  return {
    ...pace,
    lanes: nextLanes(pace.lanes, { slots: Math.max(1, slots), taken, ready, isMore }),
    isShort: taken >= slots || takenSlow >= room.slowSlots,
  };
}

/** The slots that are for whoever comes. */
function unreserved({ slots, reserved }: Pick<Room, 'slots' | 'reserved'>): number {
  return slots - reserved;
}
