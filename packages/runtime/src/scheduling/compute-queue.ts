import { FairQueue } from './fair-queue.ts';

/** Runs a synchronous part of the current work when it is its tenant's turn. */
export type Compute = <Result>(work: () => Result) => Promise<Result>;

/** Work that takes less does not delay others noticeably. */
const shortMs = 1;
/** After work, the queue rests for so many times as long. */
const restFactor = 2;
/** Work that takes longer than this has mostly waited for a processor: longer rests would add to that wait. */
const countedMsMax = 50;

/**
 * Returns a queue for synchronous work that takes milliseconds, such as parsing a large body. One piece runs at a time.
 * After a millisecond or more, the queue rests for twice as long as it ran, at most a tenth of a second, so that such
 * work uses at most a third of the event loop. See `FairQueue` for the errors.
 */
export function createComputeQueue(name: string): Compute {
  const queue = new FairQueue({ name, inFlightMax: 1, inFlightPerTenantMax: 1 });
  return async (work) => {
    const slot = await queue.enter();
    const startedAtMs = performance.now();
    try {
      return work();
    } finally {
      const ranMs = performance.now() - startedAtMs;
      if (ranMs >= shortMs) slot.rest((restFactor * Math.min(ranMs, countedMsMax)) / ranMs);
      else if (queue.waiting > 0) setImmediate(slot.release);
      else slot.release();
    }
  };
}
