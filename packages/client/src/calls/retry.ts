import type { ParleyError } from '../error.ts';

const baseMs = 500;
const capMs = 10_000;
const retryAfterMaxSeconds = 60;

// 502 comes from a proxy, never from the API.
const statuses = new Set([408, 429, 502, 503, 504]);

/** The call has begun a removal that continues without it. */
const continuing: readonly string[] = ['anonymisation-continues', 'deletion-continues'];

/**
 * Returns whether a retry could succeed. A repeated anonymisation would only make the one that runs take longer, and a
 * repeated deletion would find nothing and look done.
 */
export function isTemporary({ status, type }: Pick<ParleyError, 'status' | 'type'>): boolean {
  if (continuing.includes(type)) return false;
  return status === undefined || statuses.has(status) || type === 'lost-race';
}

/** Returns whether the call may have had its effect: its answer, if any, is not from the service that handles it. */
export function hasLostAnswer({ status }: Pick<ParleyError, 'status'>): boolean {
  return status === undefined || status === 408 || status >= 500;
}

/** Returns whether the resource has another state or version than the call needs. */
export function isConflict({ status, type }: Pick<ParleyError, 'status' | 'type'>): boolean {
  return status === 412 || (status === 409 && type !== 'lost-race');
}

/**
 * Returns the delay after the `failures`th failure (from 1): a random part of an exponentially growing limit ("full
 * jitter"), added to the `Retry-After` of the service. Undefined if `Retry-After` is more than a minute.
 */
export function waitMs(
  failures: number,
  retryAfterSeconds = 0,
  random: () => number = Math.random,
): number | undefined {
  if (retryAfterSeconds > retryAfterMaxSeconds) return undefined;
  return retryAfterSeconds * 1000 + random() * Math.min(capMs, baseMs * 2 ** (failures - 1));
}
