import { setTimeout } from 'node:timers/promises';

/**
 * Repeats the assertions until they hold, and returns their result. Throws the last failure after `timeoutMs`: by
 * default long enough for a busy machine. A test of something that must be fast gives its limit. Tests wait in no other
 * way.
 */
export async function eventually<T>(
  assertions: () => T | Promise<T>,
  { timeoutMs = 120_000, everyMs = 25 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (Date.now() >= end) throw error;
    }
    await setTimeout(everyMs);
  }
}
