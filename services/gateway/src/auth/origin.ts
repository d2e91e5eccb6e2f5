import { AppError } from '@parley/runtime/errors';
import type { AllowedDomains } from './allowed-domains.ts';
import { allowFields, isAllowedOrigin, preflightFields } from './cors.ts';
import { addressGroupOf } from '../http/request/client-address.ts';
import { type Call, callOf, type RequestContext, send } from '../http/answer/request-context.ts';
import { consumeOrThrow, type RateLimit } from '../limits/rate-limit.ts';
import type { Route } from '../http/server/route.ts';

export interface Origins {
  allowedDomains: AllowedDomains;
  /** The limit of lookups of unknown workspaces, per address. */
  lookups: RateLimit;
  landingUrl: string;
}

/** Which origins may read an answer, and the workspace whose domains are allowed. */
interface CorsScope {
  origins: Route['origins'];
  workspaceId: unknown;
}

/** Answers a CORS preflight with 204. Only an allowed origin gets an allow header. 429 as in `applyCors`. */
export async function answerPreflight(
  origins: Origins,
  context: RequestContext,
  operations: Route[],
): Promise<void> {
  const wanted = context.request.headers['access-control-request-method'];
  const route = operations.find(({ method }) => method === wanted) ?? operations[0];
  await preflight(origins, context, corsScopeOf(route, context), callOf(context));
}

async function preflight(
  origins: Origins,
  context: RequestContext,
  scope: CorsScope,
  call: Call,
): Promise<void> {
  const isAllowed = await allowOrigin(origins, context, scope, call);
  send(context, 204, '', isAllowed ? preflightFields : {});
}

/**
 * Allows pages of the allowed origins to read the answer. A foreign origin gets no allow header, or 403 if the route
 * rejects it. A call without Origin is not from a page and needs only its token. 429 for an address whose pages called
 * too many unknown workspaces.
 */
export async function applyCors(
  origins: Origins,
  context: RequestContext,
  route: Route | undefined,
  call: Call,
): Promise<void> {
  if (!route?.origins) return;
  const isAllowed = await allowOrigin(origins, context, corsScopeOf(route, context), call);
  if (isAllowed || !route.refusesForeignOrigin || context.request.headers.origin === undefined) return;
  throw new AppError('permission_denied', 'foreign-origin', 'The origin is not allowed');
}

/**
 * Adds CORS header fields to the answer for an unknown path, so that a page can read the error. Returns whether it
 * answered a preflight.
 */
export async function applyCorsToUnknownPath(
  origins: Origins,
  context: RequestContext,
  call: Call,
): Promise<boolean> {
  const { method, path, headers } = context.request;
  if (headers.origin === undefined || !path.startsWith('/public/v1/')) return false;
  const workspaceId = /^\/public\/v1\/workspaces\/([^/]*)/.exec(path)?.[1];
  const scope: CorsScope = { origins: 'workspace', workspaceId };
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  if (isPreflight) await preflight(origins, context, scope, call);
  else await allowOrigin(origins, context, scope, call);
  return isPreflight;
}

function corsScopeOf(route: Route | undefined, { request }: RequestContext): CorsScope {
  return { origins: route?.origins, workspaceId: request.params['workspaceId'] };
}

async function allowOrigin(
  { allowedDomains, lookups, landingUrl }: Origins,
  context: RequestContext,
  scope: CorsScope,
  call: Call,
): Promise<boolean> {
  const { request, fields } = context;
  const { origin } = request.headers;
  fields['Vary'] = 'Origin';
  if (origin === undefined || !scope.origins) return false;
  const countLookup = (): void => consumeOrThrow(fields, lookups, addressGroupOf(request.ip));
  const isAllowed =
    isAllowedOrigin(origin, [landingUrl]) ||
    (scope.origins === 'workspace' &&
      isAllowedOrigin(origin, await allowedDomains(scope.workspaceId, call, countLookup)));
  if (isAllowed) Object.assign(fields, allowFields(origin));
  return isAllowed;
}
