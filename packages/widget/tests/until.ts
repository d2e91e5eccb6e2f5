import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';

/**
 * Runs the assertions until they hold and answers what they return; after ten seconds the last failure is thrown. Fake
 * timers go on meanwhile.
 */
export function until<Result>(assertions: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(assertions, 10_000);
}

/** Waits for a condition that comes without a timer: for fake ones no time passes meanwhile. */
export async function untilAtOnce(isThere: () => boolean): Promise<void> {
  while (!isThere()) await setImmediate();
}
