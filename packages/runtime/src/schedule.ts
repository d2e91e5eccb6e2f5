import type { Logger } from './logger.ts';

/** Work that is repeated until it is disposed of; disposing waits for the round under way. */
export interface Schedule extends AsyncDisposable {
  /** Starts the next round at once, or right after the one under way. */
  wake(): void;
}

/**
 * Runs `round` every `intervalMs`, never two at a time. A round that answers true has more to do and is followed at
 * once by the next. A failed round is logged and tried again after the interval.
 */
export function repeat(
  name: string,
  intervalMs: number,
  logger: Logger,
  round: (signal: AbortSignal) => Promise<boolean | void>,
): Schedule {
  const ended = new AbortController();
  let woken = false;
  let endPause: (() => void) | undefined;

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, intervalMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const loop = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      woken = false;
      let more = false;
      try {
        more = (await round(ended.signal)) === true;
      } catch (error) {
        if (!ended.signal.aborted) logger.warn({ err: error, schedule: name }, 'round failed');
      }
      if (!more && !woken && !ended.signal.aborted) await pause();
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
