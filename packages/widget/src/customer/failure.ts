import type { ParleyError } from '@parley/client/public';
import type { ServerFault } from '../model.ts';

const baseMs = 1_000;
const capMs = 30_000;

/** There is no customer: nobody is logged in on the page, or the customer has logged out. */
export class NobodyError extends Error {
  override readonly name = 'NobodyError';
}

/** Returns the error if it is a `ParleyError`. Checks its name: loader and UI chunk have a class each. */
export function asParleyError(error: unknown): ParleyError | undefined {
  return error instanceof Error && error.name === 'ParleyError' ? (error as ParleyError) : undefined;
}

/**
 * Returns whether the same call could succeed later. True also for answers of other servers (a proxy, a login page) and
 * errors of the page's token call; false when nobody is logged in.
 */
export function isRetryable(error: unknown): boolean {
  // By its name, as in `asParleyError`.
  if (error instanceof Error && error.name === 'NobodyError') return false;
  const failure = asParleyError(error);
  if (!failure || isUnreachable(error) || failure.type === 'lost-race') return true;
  return failure.status === 401 || failure.status === 408 || failure.status === 429;
}

/** Returns whether the network or the server failed. */
export function isUnreachable(error: unknown): boolean {
  const failure = asParleyError(error);
  if (!failure) return false;
  return failure.status === undefined || failure.status >= 500 || failure.type === 'unexpected-answer';
}

/** Returns the failure of an error that the server has answered; undefined for any other error. */
export function serverFaultOf(error: unknown): ServerFault | undefined {
  const failure = asParleyError(error);
  return failure?.status === undefined ? undefined : { reference: failure.requestId };
}

/** Returns the end of the server's `Retry-After` by `performance.now()`; 0 without one. */
export function retryNotBefore(error: unknown): number {
  const seconds = asParleyError(error)?.retryAfterSeconds;
  return seconds === undefined ? 0 : performance.now() + seconds * 1_000;
}

/** Returns the delay after the `failures`th failure in a row, from 1: half to all of a limit that grows to 30 s. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  return Math.min(capMs, baseMs * 2 ** (failures - 1)) * (0.5 + random() / 2);
}
