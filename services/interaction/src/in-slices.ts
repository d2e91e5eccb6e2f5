import type { Slices } from '@parley/bot/slices';
import type { Compute } from '@parley/runtime/scheduling/compute-queue';

/** Work holds the event loop for so long at once, in milliseconds: other calls wait no longer for it. */
const sliceMsMax = 3;

/** Does the work in slices of about `sliceMsMax`. Work of other workspaces takes turns with it. */
export async function inSlices<Result>(compute: Compute, slices: Slices<Result>): Promise<Result> {
  for (;;) {
    const slice = await compute(() => runFor(slices, sliceMsMax));
    if (slice.done === true) return slice.value;
  }
}

function runFor<Result>(slices: Slices<Result>, ms: number): IteratorResult<void, Result> {
  const endMs = performance.now() + ms;
  for (;;) {
    const slice = slices.next();
    if (slice.done === true || performance.now() >= endMs) return slice;
  }
}
