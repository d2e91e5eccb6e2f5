import { notify } from '../page/events.ts';
import { backoffMs, retryNotBefore } from './failure.ts';
import type { Waiting } from '../model.ts';
import type { Page } from '../page/page.ts';

/** The server's answer: the interaction that waits, and the delay of the next call. */
export interface Found {
  waiting: Waiting | null;
  pollAfterMs: number;
}

export interface PendingPollerOptions {
  page: Page;
  poll: (signal: AbortSignal) => Promise<Found>;
  onFound: (waiting: Waiting | null) => void;
  onError: (error: unknown) => void;
  /** Returns a number from 0 to 1. Default: `Math.random`. */
  random?: () => number;
}

/** Finds the interaction that waits for the customer. */
export interface PendingPoller {
  /**
   * Polls now, also in a hidden page. During a call it waits for one more call, because the answer may be older than
   * the reason to poll. Before the end of a `Retry-After` it returns the last result.
   */
  check(): Promise<Waiting | null>;
  stop(): void;
}

/** Events of the page, such as focus and visibility, come in bursts; the server accepts 12 calls a minute. */
const gapMs = 5_000;
const pollJitter = 0.2;

/**
 * Polls at once, whenever the page becomes visible, gets the focus or its network back, and periodically while it is
 * visible. Does not poll while it is hidden.
 */
export function createPendingPoller(options: PendingPollerOptions): PendingPoller {
  const { page, poll, onFound, onError, random = Math.random } = options;
  const life = new AbortController();
  const { signal } = life;
  let polledAt = Number.NEGATIVE_INFINITY;
  let notBefore = 0;
  let failures = 0;
  let last: Waiting | null = null;
  let polling: Promise<Waiting | null> | undefined;
  let next: Promise<Waiting | null> | undefined;

  const timer = createTimer(() => void check().catch(() => {}));
  const schedule = (delayMs: number): void => {
    if (signal.aborted || !page.isVisible()) return;
    timer.fireAt(Math.max(performance.now() + delayMs, polledAt + gapMs, notBefore));
  };
  const pollOnce = async (): Promise<Waiting | null> => {
    timer.cancel();
    polledAt = performance.now();
    try {
      const { waiting, pollAfterMs } = await poll(signal);
      signal.throwIfAborted();
      failures = 0;
      last = waiting;
      schedule(pollAfterMs * (1 - pollJitter + 2 * pollJitter * random()));
    } catch (error) {
      signal.throwIfAborted();
      failures += 1;
      notBefore = retryNotBefore(error);
      schedule(backoffMs(failures, random));
      notify(onError, error);
      throw error;
    } finally {
      polling = undefined;
    }
    notify(onFound, last);
    return last;
  };
  const pollNext = (): Promise<Waiting | null> => {
    next = undefined;
    return check();
  };
  const check = (): Promise<Waiting | null> => {
    if (polling) return (next ??= polling.then(pollNext, pollNext));
    if (signal.aborted || performance.now() < notBefore) return Promise.resolve(last);
    return (polling = pollOnce());
  };
  schedule(0);
  for (const event of ['visible', 'focus', 'online'] as const) page.on(event, () => schedule(0), signal);
  page.on('hidden', timer.cancel, signal);
  const stop = (): void => {
    life.abort();
    last = null;
    timer.cancel();
  };
  return { check, stop };
}

/** A timer that only `cancel` moves to a later time. Times are by `performance.now()`. */
function createTimer(fire: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  const cancel = (): void => {
    clearTimeout(timer);
    dueAt = Number.POSITIVE_INFINITY;
  };
  const fireAt = (at: number): void => {
    if (at >= dueAt) return;
    cancel();
    dueAt = at;
    timer = setTimeout(fire, at - performance.now());
  };
  return { cancel, fireAt };
}
