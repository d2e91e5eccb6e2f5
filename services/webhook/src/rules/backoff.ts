const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Pauses between the 11 attempts of a delivery: some 75 hours in all (Standard Webhooks, with one early retry). */
export const standardDelaysMs: readonly number[] = [
  5 * second,
  30 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The share by which a pause is longer or shorter, so that what failed together does not come back together. */
const jitter = 0.2;

/** How long all pauses of a schedule take together at most, in milliseconds. */
export function longestCourseMs(delaysMs: readonly number[]): number {
  return delaysMs.reduce((sum, delayMs) => sum + delayMs * (1 + jitter), 0);
}

/**
 * Milliseconds to wait after the failed `attempt` (from 1), or undefined when it was the last.
 * `random` is in [0, 1) and places the result within ±20 % of the schedule's pause.
 */
export function retryDelayMs(
  attempt: number,
  delaysMs: readonly number[],
  random: number,
): number | undefined {
  const delayMs = delaysMs[attempt - 1];
  if (delayMs === undefined) return undefined;
  return Math.round(delayMs * (1 - jitter + 2 * jitter * random));
}
