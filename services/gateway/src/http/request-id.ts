import { randomUUID } from 'node:crypto';

/** The id of a request: the caller's `X-Request-Id` when it is well-formed, else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}
