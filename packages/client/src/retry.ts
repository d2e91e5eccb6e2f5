import type { ParleyError } from './error.ts';

const baseMs = 500;
const capMs = 10_000;
const retryAfterMaxSeconds = 60;

// 502 is never the API's own answer: a proxy in front of it has lost it.
const statuses = new Set([408, 429, 502, 503, 504]);

/** Whether a call that may be repeated could succeed the next time. */
export function isPassing({ status, type }: Pick<ParleyError, 'status' | 'type'>): boolean {
  return status === undefined || statuses.has(status) || type === 'lost-race';
}

/** Whether what was asked for may have been done all the same: there was no answer, or one of somebody who had none. */
export function hasLostAnswer({ status }: Pick<ParleyError, 'status'>): boolean {
  return status === undefined || status === 408 || status >= 500;
}

/**
 * How long to wait after the `failures`th failure (from 1): anything up to an exponentially growing limit ("full
 * jitter"), on top of what the service has asked for. Undefined when it asks for more than a minute.
 */
export function waitMs(
  failures: number,
  retryAfterSeconds = 0,
  random: () => number = Math.random,
): number | undefined {
  if (retryAfterSeconds > retryAfterMaxSeconds) return undefined;
  return retryAfterSeconds * 1000 + random() * Math.min(capMs, baseMs * 2 ** (failures - 1));
}
