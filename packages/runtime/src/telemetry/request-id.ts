import { randomUUID } from 'node:crypto';

/** Returns the caller's `X-Request-Id` if it is well-formed, else a new id. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}
