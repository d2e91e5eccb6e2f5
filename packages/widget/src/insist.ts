import type { SessionClient } from '@parley/client/public';
import { backoffMs, heldBackUntil, isPassing } from './failure.ts';
import type { Opened, Session } from './session.ts';
import { createSleeper } from './sleep.ts';

/** One call of a session's client. */
export type Work<Result> = (client: SessionClient, opened: Opened) => Promise<Result>;

/** Calls that are made until they succeed or fail for good. */
export interface Insistence {
  /**
   * Makes the call again and again, with growing pauses, as long as its failures pass; `onTrouble` is told of each of
   * those. Rejects with a failure that does not pass, or with the signal's reason.
   */
  insist<Result>(
    work: Work<Result>,
    signal: AbortSignal,
    onTrouble: (error: unknown) => void,
  ): Promise<Result>;
  /** A pause that `wake` ends. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Ends the pauses, so that calls are made again at once; not before the moment that the server has asked for. */
  wake(): void;
}

/** What the server asks to be spared, all calls of one talk spare it. */
export function createInsistence(session: Session): Insistence {
  const sleeper = createSleeper();
  let notBefore = 0;
  let wakes = 0;
  return {
    insist: async (work, signal, onTrouble) => {
      for (let failures = 1; ; failures += 1) {
        const heldMs = notBefore - performance.now();
        if (heldMs > 0) await sleeper.sleep(heldMs, signal, 'firm');
        const wakesBefore = wakes;
        try {
          return await session.call((opened) => work(opened.client, opened), signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!isPassing(error)) throw error;
          notBefore = Math.max(notBefore, heldBackUntil(error));
          onTrouble(error);
        }
        // Woken while the call was under way: what has failed is from before.
        if (wakes === wakesBefore) await sleeper.sleep(backoffMs(failures), signal);
      }
    },
    pause: (ms, signal) => sleeper.sleep(ms, signal),
    wake: () => {
      wakes += 1;
      sleeper.wake();
    },
  };
}
