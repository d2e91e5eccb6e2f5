import type { ParleyError } from '@parley/client/public';

const baseMs = 1_000;
const capMs = 30_000;

/** There is no customer to ask for: nobody is logged in on the page, or the one who was has gone. */
export class NobodyError extends Error {
  override readonly name = 'NobodyError';
}

/** The error as that of a call. Known by its name: loader and UI chunk have a class each. */
export function ofApi(error: unknown): ParleyError | undefined {
  return error instanceof Error && error.name === 'ParleyError' ? (error as ParleyError) : undefined;
}

/**
 * Whether the same call could succeed later. What the API did not answer itself (a proxy, a hotel's login page) and what
 * the page's own token call throws passes, too; that nobody is logged in does not.
 */
export function isPassing(error: unknown): boolean {
  // Known by its name, as below.
  if (error instanceof Error && error.name === 'NobodyError') return false;
  const failure = ofApi(error);
  if (!failure || isWithoutServer(error) || failure.type === 'lost-race') return true;
  return failure.status === 401 || failure.status === 408 || failure.status === 429;
}

/** Whether the call failed for want of a network or of a server that works. */
export function isWithoutServer(error: unknown): boolean {
  const failure = ofApi(error);
  if (!failure) return false;
  return failure.status === undefined || failure.status >= 500 || failure.type === 'unexpected-answer';
}

/** Until when nothing more is to be asked, as the server has said, by `performance.now()`; 0 when it has not. */
export function heldBackUntil(error: unknown): number {
  const seconds = ofApi(error)?.retryAfterSeconds;
  return seconds === undefined ? 0 : performance.now() + seconds * 1_000;
}

/** How long to wait after the `failures`th failure in a row, from 1: half to all of a limit that grows to 30 s. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  return Math.min(capMs, baseMs * 2 ** (failures - 1)) * (0.5 + random() / 2);
}
