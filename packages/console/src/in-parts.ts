import type { Slices } from '@parley/bot/slices';

/** How long a part may take: a key waits for it. */
const partMs = 8;

/** Does work in parts between which keys are handled. Resolves to undefined if it was ended before. */
export async function runInParts<Result>(
  slices: Slices<Result>,
  ended?: AbortSignal,
): Promise<Result | undefined> {
  while (!ended?.aborted) {
    const endsAt = performance.now() + partMs;
    do {
      const slice = slices.next();
      if (slice.done === true) return slice.value;
    } while (performance.now() < endsAt);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return undefined;
}
