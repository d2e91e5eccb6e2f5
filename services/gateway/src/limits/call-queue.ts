import { AppError } from '@parley/runtime/errors';

/** How long calls may wait while more of them come than can be answered. */
const waitMs = 20;
/** A queue is overloaded after calls have waited in it for so long: a burst is answered late, not refused. */
const burstMs = 250;
/** The system can answer as many calls in a window as in the best one of so many. */
const windowsMax = 20;
/** No call begins to wait behind one that has waited for longer. */
const waitMsMax = 1_000;
/** What has waited for so long is refused: calls of higher priority take all places, or handlers hang. */
const staleMs = 4_000;

interface CallQueueOptions {
  /** A clock in milliseconds. */
  now: () => number;
  waitingMax: number;
  /** Whether a call of this tenant may start. */
  hasRoom: (tenant: string) => boolean;
  /** Called for each call that is refused. */
  onRefused: () => void;
}

/** Calls of one priority that wait until they may start, the oldest first. */
export interface CallQueue {
  /** Throws 503 `overloaded` if a call of this tenant would wait too long. */
  requireRoom(tenant: string): void;
  /**
   * Calls `begin`, which counts the call, at once or before the promise resolves. 503 `overloaded` if it would wait too
   * long, or has.
   */
  enter(tenant: string, begin: () => void): Promise<void> | undefined;
  /** Starts what may start now. */
  startWaiting(): void;
  countEnd(): void;
  /** Decides whether the queue is overloaded, by its calls since the last time: a window. */
  judge(): void;
}

interface WaitingCall {
  tenant: string;
  sinceMs: number;
  start: () => void;
  refuse: () => void;
}

/**
 * Creates a queue that refuses calls by how long the oldest one has waited. It is overloaded when calls have waited for
 * a while, and more calls come in a window than have ended in the best of the last ones. So a standstill refuses
 * nothing of what the system can answer afterwards.
 */
export function createCallQueue({ now, waitingMax, hasRoom, onRefused }: CallQueueOptions): CallQueue {
  const waiting: WaitingCall[] = [];
  const ended: number[] = [];
  const state = { notEmptySinceMs: 0, came: 0, ended: 0, isOverloaded: false };

  const refusal = (): AppError => {
    onRefused();
    const detail = 'There are more calls than can be answered at the moment';
    return new AppError('unavailable', 'overloaded', detail, { retryAfterSeconds: 1 });
  };
  const wouldWaitTooLong = (tenant: string): boolean => {
    const [oldest] = waiting;
    if (!oldest || hasRoom(tenant)) return false;
    const waitedMs = now() - oldest.sinceMs;
    return waiting.length >= waitingMax || waitedMs > (state.isOverloaded ? waitMs : waitMsMax);
  };
  return {
    requireRoom: (tenant) => {
      if (!wouldWaitTooLong(tenant)) return;
      state.came += 1;
      throw refusal();
    },
    enter: (tenant, begin) => {
      state.came += 1;
      if (hasRoom(tenant)) {
        begin();
        return undefined;
      }
      if (wouldWaitTooLong(tenant)) throw refusal();
      const sinceMs = now();
      if (waiting.length === 0) state.notEmptySinceMs = sinceMs;
      return new Promise<void>((resolve, reject) => {
        const start = (): void => {
          begin();
          resolve();
        };
        waiting.push({ tenant, sinceMs, start, refuse: () => reject(refusal()) });
      });
    },
    startWaiting: () => {
      while (waiting[0] && hasRoom(waiting[0].tenant)) waiting.shift()?.start();
    },
    countEnd: () => (state.ended += 1),
    judge: () => {
      const nowMs = now();
      while (waiting[0] && nowMs - waiting[0].sinceMs > staleMs) waiting.shift()?.refuse();
      const isLong = waiting.length > 0 && nowMs - state.notEmptySinceMs > burstMs;
      ended.push(state.ended);
      if (ended.length > windowsMax) ended.shift();
      state.isOverloaded = state.came > Math.max(...ended) && (isLong || state.isOverloaded);
      state.came = 0;
      state.ended = 0;
    },
  };
}
