import { setImmediate, setTimeout } from 'node:timers/promises';
import { TestRunner } from 'vitest';

/** Work that is repeated in the background. Its disposal is `stop`. */
export interface RepeatedWork extends AsyncDisposable {
  /** Starts no further work, and waits for the work in progress. Rejects with the first failure of the work. */
  stop(): Promise<void>;
}

interface Options {
  /** Loops at once. Default: 1. */
  parallel?: number;
  /** From the end of a work to the next one of its loop. Default: 0. */
  pauseMs?: number;
}

/**
 * Repeats work until `stop`, a failure of it, or the end of the test that began it. A test beyond its time limit never
 * calls `stop`, so its signal ends the loops. They let timers run between two works, also if each one ends at once.
 */
export function repeatedly(
  work: (loop: number, round: number) => Promise<unknown>,
  { parallel = 1, pauseMs = 0 }: Options = {},
): RepeatedWork {
  const stopping = new AbortController();
  const test = TestRunner.getCurrentTest();
  const signals = [stopping.signal, ...(test ? [test.context.signal] : [])];
  const isOver = (): boolean => signals.some(({ aborted }) => aborted);
  const pause = (): Promise<unknown> => (pauseMs > 0 ? setTimeout(pauseMs) : setImmediate());
  const repeat = async (loop: number): Promise<void> => {
    for (let round = 0; !isOver(); round += 1) {
      await work(loop, round);
      await pause();
    }
  };
  const loops = Promise.all(Array.from({ length: parallel }, (_, loop) => repeat(loop)));
  // `stop` reports a failure. Until then it must not end the process.
  loops.catch(() => {});
  const stop = async (): Promise<void> => {
    stopping.abort();
    await loops;
  };
  return { stop, [Symbol.asyncDispose]: stop };
}
