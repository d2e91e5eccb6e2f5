import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../telemetry/logger.ts';

/** Work that is repeated until it is disposed of. Disposing waits for the run in progress. */
export interface Schedule extends AsyncDisposable {
  /** Starts the next run at once, or after the one in progress. */
  wake(): void;
}

const warningsApartMs = 30_000;

/** Services start in any order. Until then, a schedule that has never succeeded may fail without a warning. */
const startMsMax = 15_000;
/** A schedule with a longer interval would hide its first failures for long. */
const quietIntervalMsMax = 5_000;

/**
 * Calls `run` every `intervalMs`, never two at a time. A run that returns true has more work, and the next
 * one follows at once. If it returns a number of milliseconds, the next one follows after them, if that is
 * sooner than the interval. A failed run is retried after the interval. During repeated failures, one
 * warning per 30 seconds is logged; with an interval of at most five seconds, none in the first 15 seconds unless a
 * run has succeeded.
 */
export function repeat(
  name: string,
  intervalMs: number,
  logger: Logger,
  run: (signal: AbortSignal) => Promise<boolean | number | void>,
): Schedule {
  const ended = new AbortController();
  const reports = createReports(name, intervalMs, logger);
  let woken = false;
  let endPause: (() => void) | undefined;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, intervalMs));
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const loop = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      woken = false;
      let pauseMs = intervalMs;
      try {
        const next = await run(ended.signal);
        if (next === true) pauseMs = 0;
        else if (typeof next === 'number') pauseMs = Math.max(1, Math.ceil(next));
        reports.succeeded();
      } catch (error) {
        if (!ended.signal.aborted) reports.failed(error);
      }
      if (pauseMs > 0 && !woken && !ended.signal.aborted) await pause(pauseMs);
    }
  };
  const done = loop();

  const wake = (): void => {
    woken = true;
    endPause?.();
  };
  return {
    wake,
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      wake();
      await done;
    },
  };
}

const restMs = 1_000;

/**
 * For `repeat`: runs a pass over what is due, and rests if it leaves something. So the events of a pass do not come
 * faster than consumers handle them. A wake does not end the rest, the signal does. Returns whether there may be more.
 */
export async function restAfter(signal: AbortSignal, pass: () => Promise<boolean>): Promise<boolean> {
  const mayHaveMore = await pass();
  if (mayHaveMore) await sleep(restMs, undefined, { signal }).catch(() => {});
  return mayHaveMore;
}

/** Reports failures of runs, and the first success after them. */
function createReports(name: string, intervalMs: number, logger: Logger) {
  const begunAtMs = performance.now();
  let isStarting = intervalMs <= quietIntervalMsMax;
  let failures = 0;
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  return {
    failed: (error: unknown): void => {
      failures += 1;
      const nowMs = performance.now();
      isStarting &&= nowMs - begunAtMs < startMsMax;
      const isDue = !isStarting && nowMs - warnedAtMs >= warningsApartMs;
      if (isDue) warnedAtMs = nowMs;
      logger[isDue ? 'warn' : 'debug']({ err: error, schedule: name, failures }, 'run failed');
    },
    succeeded: (): void => {
      if (failures > 0) logger.info({ schedule: name, failures }, 'run succeeded after failures');
      isStarting = false;
      failures = 0;
      warnedAtMs = Number.NEGATIVE_INFINITY;
    },
  };
}
