import { notify } from './events.ts';
import { backoffMs, heldBackUntil } from './failure.ts';
import type { Waiting } from './model.ts';
import type { Page } from './page.ts';

/** What the server says waits, and when it wants to be asked again. */
export interface Found {
  waiting: Waiting | null;
  pollAfterMs: number;
}

/** What a detector is made of. */
export interface DetectorOptions {
  page: Page;
  /** Asks the server. */
  ask: (signal: AbortSignal) => Promise<Found>;
  onFound: (waiting: Waiting | null) => void;
  onError: (error: unknown) => void;
  /** From 0 to 1; `Math.random` unless given. */
  random?: () => number;
}

/** Finds out what waits for the customer. */
export interface Detector {
  /**
   * Asks now, also in a page that is not seen, and answers when it is known. Those who want to know during a call share the
   * one after it: it may have been answered before what they know of. While the server asks to be spared it answers what
   * was found last.
   */
  check(): Promise<Waiting | null>;
  /** Ends the asking for good. */
  stop(): void;
}

/** Shows of the page, such as focus and visibility, come in bunches; the server takes 12 questions a minute. */
const gapMs = 5_000;
const pollJitter = 0.2;

/**
 * Asks at once, whenever the page comes into view, gets the focus or its network back, and from time to time while it is
 * seen. Asks nothing while it is not.
 */
export function createDetector({
  page,
  ask,
  onFound,
  onError,
  random = Math.random,
}: DetectorOptions): Detector {
  const life = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let notBefore = 0;
  let failures = 0;
  let last: Waiting | null = null;
  let asking: Promise<Waiting | null> | undefined;
  let next: Promise<Waiting | null> | undefined;

  const unplan = (): void => {
    clearTimeout(timer);
    dueAt = Number.POSITIVE_INFINITY;
  };
  /** Asks after so long, or sooner if that was planned already. */
  const plan = (delayMs: number): void => {
    const now = performance.now();
    const at = Math.max(now + delayMs, askedAt + gapMs, notBefore);
    if (life.signal.aborted || !page.isVisible() || at >= dueAt) return;
    unplan();
    dueAt = at;
    timer = setTimeout(() => void check().catch(() => {}), at - now);
  };

  const askOnce = async (): Promise<Waiting | null> => {
    unplan();
    askedAt = performance.now();
    try {
      const { waiting, pollAfterMs } = await ask(life.signal);
      life.signal.throwIfAborted();
      failures = 0;
      last = waiting;
      plan(pollAfterMs * (1 - pollJitter + 2 * pollJitter * random()));
    } catch (error) {
      life.signal.throwIfAborted();
      failures += 1;
      notBefore = heldBackUntil(error);
      plan(backoffMs(failures, random));
      notify(onError, error);
      throw error;
    } finally {
      asking = undefined;
    }
    notify(onFound, last);
    return last;
  };
  const askNext = (): Promise<Waiting | null> => {
    next = undefined;
    return check();
  };
  const check = (): Promise<Waiting | null> => {
    if (asking) return (next ??= asking.then(askNext, askNext));
    if (life.signal.aborted || performance.now() < notBefore) return Promise.resolve(last);
    return (asking = askOnce());
  };

  const soon = (): void => plan(0);
  const endings = [
    page.on('visible', soon),
    page.on('focus', soon),
    page.on('online', soon),
    page.on('hidden', unplan),
  ];
  soon();
  return {
    check,
    stop: () => {
      life.abort();
      last = null;
      unplan();
      for (const end of endings) end();
    },
  };
}
