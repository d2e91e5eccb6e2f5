import { AppError } from '@parley/runtime/errors';
import type { Request } from 'express';

/** The values of `x-parley-console`: of pages of the console, and of the portal. Each has a cookie of its own. */
export const consoleMarkers = { console: '1', portal: 'portal' } as const;

/** Returns whether a page of the portal says that it makes the call. */
export function isOfPortal({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['x-parley-console'] === consoleMarkers.portal;
}

/**
 * Throws 403 `cross-site` unless a page of this site makes the call: a browser sends cookies with calls of other pages,
 * too. `Sec-Fetch-Site` must be `same-origin`; without it, `Origin` must have the site's scheme (`https:`) and the host
 * of the request. Also needs `x-parley-console`, which pages of other origins cannot send without a preflight.
 */
export function requireSameSite({ headers }: Pick<Request, 'headers'>, scheme: string): void {
  const { 'sec-fetch-site': site, origin, host, 'x-parley-console': marker } = headers;
  const own = host === undefined ? undefined : URL.parse(`${scheme}//${host}`)?.origin;
  const isSame = site === undefined ? URL.parse(origin ?? '')?.origin === own : site === 'same-origin';
  const isMarked = Object.values(consoleMarkers).some((one) => one === marker);
  if (isSame && own !== undefined && isMarked) return;
  throw new AppError(
    'permission_denied',
    'cross-site',
    'A call with a cookie needs Sec-Fetch-Site: same-origin, or a matching Origin, and x-parley-console: 1',
  );
}
