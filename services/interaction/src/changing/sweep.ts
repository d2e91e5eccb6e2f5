import { setTimeout as pause } from 'node:timers/promises';

const restMs = 1_000;

/**
 * Runs a pass of a sweep, and rests if it leaves rows: the events of a sweep are in the log among the events of all
 * workspaces, so they must not come faster than consumers handle them. A wake does not end the rest, the signal does.
 * Returns whether there may be more.
 */
export async function restAfter(signal: AbortSignal, pass: () => Promise<boolean>): Promise<boolean> {
  const mayHaveMore = await pass();
  if (mayHaveMore) await pause(restMs, undefined, { signal }).catch(() => {});
  return mayHaveMore;
}
