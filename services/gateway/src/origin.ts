import { AppError } from '@parley/runtime/errors';
import type { AllowedDomains } from './allowed-domains.ts';
import { allowFields, isAllowedOrigin, preflightFields } from './cors.ts';
import { addressGroupOf } from './client-address.ts';
import { callOf, type Exchange, send } from './exchange.ts';
import { countUntold, type RateLimit } from './rate-limit.ts';
import type { Call, Route } from './route.ts';

/** What decides which pages may call from a browser. */
export interface Origins {
  allowedDomains: AllowedDomains;
  /** Of one address: how often it may have workspaces looked up that are not known. */
  lookups: RateLimit;
  landingUrl: string;
}

/** Whose pages may read what is answered to a path. */
interface Place {
  origins: Route['origins'];
  workspaceId: unknown;
}

/** Answers a CORS preflight: 204, with an allow header for an origin that may call only. 429 as `admitOrigin`. */
export async function answerPreflight(
  origins: Origins,
  current: Exchange,
  operations: Route[],
): Promise<void> {
  const wanted = current.request.headers['access-control-request-method'];
  const route = operations.find(({ method }) => method === wanted) ?? operations[0];
  await preflight(origins, current, placeOf(route, current), callOf(current));
}

async function preflight(origins: Origins, current: Exchange, place: Place, call: Call): Promise<void> {
  const isAllowed = await allowOrigin(origins, current, place, call);
  send(current, 204, '', isAllowed ? preflightFields : {});
}

/**
 * Lets pages of the allowed origins read the answer. A foreign origin gets no allow header; where the route refuses
 * it, 403. A call without Origin is no page's: its token is what counts. 429 for an address whose pages have called about
 * too many workspaces that are not known.
 */
export async function admitOrigin(
  origins: Origins,
  current: Exchange,
  route: Route | undefined,
  call: Call,
): Promise<void> {
  if (!route?.origins) return;
  const isAllowed = await allowOrigin(origins, current, placeOf(route, current), call);
  if (isAllowed || !route.refusesForeignOrigin || current.request.headers.origin === undefined) return;
  throw new AppError('permission_denied', 'foreign-origin', 'The origin is not allowed');
}

/**
 * As `admitOrigin`, for a path that is no route's: a page can read that it is none. A browser that asks beforehand must be
 * told that it may; whether this has answered it so.
 */
export async function admitOriginAstray(origins: Origins, current: Exchange, call: Call): Promise<boolean> {
  const { method, path, headers } = current.request;
  if (headers.origin === undefined || !path.startsWith('/public/v1/')) return false;
  const workspaceId = /^\/public\/v1\/workspaces\/([^/]*)/.exec(path)?.[1];
  const place: Place = { origins: 'workspace', workspaceId };
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  if (isPreflight) await preflight(origins, current, place, call);
  else await allowOrigin(origins, current, place, call);
  return isPreflight;
}

function placeOf(route: Route | undefined, { request }: Exchange): Place {
  return { origins: route?.origins, workspaceId: request.params['workspaceId'] };
}

async function allowOrigin(
  { allowedDomains, lookups, landingUrl }: Origins,
  current: Exchange,
  place: Place,
  call: Call,
): Promise<boolean> {
  const { request, fields } = current;
  const { origin } = request.headers;
  fields['Vary'] = 'Origin';
  if (origin === undefined || !place.origins) return false;
  const countLookup = (): void => countUntold(fields, lookups, addressGroupOf(request.ip));
  const isAllowed =
    isAllowedOrigin(origin, [landingUrl]) ||
    (place.origins === 'workspace' &&
      isAllowedOrigin(origin, await allowedDomains(place.workspaceId, call, countLookup)));
  if (isAllowed) Object.assign(fields, allowFields(origin));
  return isAllowed;
}
