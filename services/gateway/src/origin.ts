import { AppError } from '@parley/runtime/errors';
import type { AllowedDomains } from './allowed-domains.ts';
import { allowFields, isAllowedOrigin, preflightFields } from './cors.ts';
import { addressGroupOf } from './client-address.ts';
import { callOf, type Exchange, send } from './exchange.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Call, Route } from './route.ts';

/** What decides which pages may call from a browser. */
export interface Origins {
  allowedDomains: AllowedDomains;
  /** Of one address: how often it may have workspaces looked up that are not known. */
  lookups: RateLimit;
  landingUrl: string;
}

const preflightTimeoutMs = 5_000;

/** Answers a CORS preflight: 204, with an allow header for an origin that may call only. 429 as `admitOrigin`. */
export async function answerPreflight(
  origins: Origins,
  current: Exchange,
  operations: Route[],
): Promise<void> {
  const call = callOf(current, preflightTimeoutMs);
  const route = operations.find(
    ({ method }) => method === current.request.headers['access-control-request-method'],
  );
  const isAllowed = await allowOrigin(origins, current, route ?? operations[0], call);
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
  route: Route,
  call: Call,
): Promise<void> {
  if (!route.origins) return;
  const isAllowed = await allowOrigin(origins, current, route, call);
  if (isAllowed || !route.refusesForeignOrigin || current.request.headers.origin === undefined) return;
  throw new AppError('permission_denied', 'foreign-origin', 'The origin is not allowed');
}

async function allowOrigin(
  { allowedDomains, lookups, landingUrl }: Origins,
  current: Exchange,
  route: Route | undefined,
  call: Call,
): Promise<boolean> {
  const { request, fields } = current;
  const { origin } = request.headers;
  fields['Vary'] = 'Origin';
  if (origin === undefined || !route?.origins) return false;
  const countLookup = (): void => {
    const { fields: told, refusal } = lookups.take(addressGroupOf(request.ip));
    if (!refusal) return;
    Object.assign(fields, told);
    throw refusal;
  };
  const isAllowed =
    isAllowedOrigin(origin, [landingUrl]) ||
    (route.origins === 'workspace' &&
      isAllowedOrigin(origin, await allowedDomains(request.params['workspaceId'], call, countLookup)));
  if (isAllowed) Object.assign(fields, allowFields(origin));
  return isAllowed;
}
