import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';

/**
 * Repeats the assertions until they hold and returns their result. Throws the last failure after ten seconds. Fake
 * timers advance meanwhile.
 */
export function until<Result>(assertions: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(assertions, 60_000);
}

/** Waits for a condition that depends on no timer: fake timers do not advance. */
export async function untilAtOnce(isThere: () => boolean): Promise<void> {
  while (!isThere()) await setImmediate();
}
