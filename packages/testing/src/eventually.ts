import { setTimeout } from 'node:timers/promises';

const pauseMsMin = 25;
const pauseMsMax = 200;

/**
 * Repeats the assertions until they hold, and returns their result. Throws the last failure after `timeoutMs`: by
 * default long enough for a busy machine. A test of something that must be fast gives its limit. Tests wait in no other
 * way. Without `everyMs`, a pause is a twentieth of the wait so far, so that long waits leave the processor to others.
 */
export async function eventually<T>(
  assertions: () => T | Promise<T>,
  { timeoutMs = 120_000, everyMs }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const startedAtMs = Date.now();
  for (;;) {
    let waitedMs: number;
    try {
      return await assertions();
    } catch (error) {
      waitedMs = Date.now() - startedAtMs;
      if (waitedMs >= timeoutMs) throw error;
    }
    await setTimeout(everyMs ?? Math.min(Math.max(pauseMsMin, waitedMs / 20), pauseMsMax));
  }
}
