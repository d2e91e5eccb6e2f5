import type { SessionClient } from '@parley/client/public';
import { backoffMs, retryNotBefore, isRetryable } from './failure.ts';
import type { OpenSession, Session } from './session.ts';
import { createSleeper } from '../page/sleep.ts';

/** One call of a session's client. */
export type Work<Result> = (client: SessionClient, opened: OpenSession) => Promise<Result>;

export interface Retries {
  /**
   * Retries the call with growing pauses until it succeeds or fails for good. `onRetry` receives each retryable
   * failure. Rejects with a failure that is not retryable, or with the signal's reason.
   */
  callWithRetry<Result>(
    work: Work<Result>,
    signal: AbortSignal,
    onRetry: (error: unknown) => void,
  ): Promise<Result>;
  /** Resolves after the pause, or at `wake`. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Ends the pauses, so that calls are retried at once, but not before the end of a `Retry-After`. */
  wake(): void;
}

/** A `Retry-After` delays every call of the conversation. */
export function createRetries(session: Session): Retries {
  const sleeper = createSleeper();
  let notBefore = 0;
  let wakes = 0;
  return {
    callWithRetry: async (work, signal, onRetry) => {
      for (let failures = 1; ; failures += 1) {
        const heldMs = notBefore - performance.now();
        if (heldMs > 0) await sleeper.sleep(heldMs, signal, 'firm');
        const wakesBefore = wakes;
        try {
          return await session.call((opened) => work(opened.client, opened), signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!isRetryable(error)) throw error;
          notBefore = Math.max(notBefore, retryNotBefore(error));
          onRetry(error);
        }
        // Woken during the call: the failure is older than that.
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
