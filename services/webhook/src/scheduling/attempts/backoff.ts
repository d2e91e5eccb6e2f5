const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays between the 11 attempts of a delivery: about 75 hours (Standard Webhooks, with one early retry). */
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

/** The share by which a delay varies, so that deliveries that failed together are not retried together. */
const jitter = 0.2;

/** Returns the longest duration of a schedule, in milliseconds. */
export function longestScheduleMs(delaysMs: readonly number[]): number {
  return delaysMs.reduce((sum, delayMs) => sum + delayMs * (1 + jitter), 0);
}

/**
 * Returns the milliseconds to wait after the failed `attempt` (from 1); undefined if it was the last. `random` is in
 * [0, 1) and selects a delay within ±20 % of the schedule's.
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
