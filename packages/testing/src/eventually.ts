import { setTimeout } from 'node:timers/promises';

/**
 * Runs the assertions until they hold and answers what they return; after `timeoutMs` the last failure is thrown. The
 * only way to wait in a test.
 */
export async function eventually<T>(
  assertions: () => T | Promise<T>,
  { timeoutMs = 10_000, everyMs = 25 }: { timeoutMs?: number; everyMs?: number } = {},
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
