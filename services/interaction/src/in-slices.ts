import { setImmediate } from 'node:timers/promises';
import type { Slices } from '@parley/bot/slices';

/** Work holds the event loop for so long at once, in milliseconds: other calls wait no longer for it. */
const sliceMsMax = 5;

/** Does the work in slices of about `sliceMsMax`. Others run between them. */
export async function inSlices<Result>(slices: Slices<Result>): Promise<Result> {
  for (;;) {
    const endMs = performance.now() + sliceMsMax;
    do {
      const slice = slices.next();
      if (slice.done === true) return slice.value;
    } while (performance.now() < endMs);
    await setImmediate();
  }
}
