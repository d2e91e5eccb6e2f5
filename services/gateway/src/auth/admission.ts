import { hash } from 'node:crypto';
import { withClientAddress } from '@parley/rpc/grants';
import { AppError, missingScope, notFound } from '@parley/runtime/errors';
import type { Authenticate, Failures, GivenCredential } from './authentication.ts';
import { createGrantRenewal } from './grant-renewal.ts';
import { addressGroupOf, clientAddressOf } from '../http/request/client-address.ts';
import type { HeldBytes } from '../http/request/held-bytes.ts';
import {
  credentialPointer,
  hasScope,
  isOperator,
  limitedClientOf,
  type Principal,
  principalIn,
} from '../http/request/principal.ts';
import { type Call, callOf, type RequestContext } from '../http/answer/request-context.ts';
import { addRequestIds } from '../http/request/request-ids.ts';
import { consumeOrThrow, type RateLimit, type RateLimits } from '../limits/rate-limit.ts';
import {
  type KeyCall,
  notForCaller,
  type Route,
  type SessionCall,
  type TokenCall,
} from '../http/server/route.ts';
import { type Reader, readerWith, requireSeesAll } from '../values/reader.ts';
import type { ConsoleCookies } from '../http/request/session-cookie.ts';
import { isOfPortal, requireSameSite } from './same-site.ts';
import type { Sessions } from './session.ts';
import type { RunSuspect } from './suspects.ts';

export interface Admission {
  authenticate: Authenticate;
  rateLimits: RateLimits;
  sessions: Sessions;
  cookies: ConsoleCookies;
  runSuspect: RunSuspect;
  heldBytes: HeldBytes;
}

/** The caller, or the way to verify it. Empty for a public route. */
export interface Caller extends Partial<Omit<SessionCall & TokenCall, keyof Call>> {
  principal?: Principal;
  reader?: Reader;
  isHead?: boolean;
  sessionToken?: KeyCall['sessionToken'];
  charge?: KeyCall['charge'];
}

/**
 * Admits a request. 401 without valid credentials, 429 beyond the rate of the key, person or session, or of the portal
 * of the workspace. 404 for a workspace that the caller cannot access, as if it did not exist. 403 if it lacks the
 * route's scope, for a session of the portal where the route is not open to it, and for a cookie that a page of another
 * site sends.
 */
export async function admit(
  admission: Admission,
  context: RequestContext,
  route: Route,
  call: Call,
): Promise<Caller> {
  const { request } = context;
  const failures = failuresOf(context, admission);

  if (route.access === 'key') return principalCaller(admission, context, route, call, failures);
  if (route.access === 'token') return tokenCaller(admission, context, failures);
  if (route.access === 'public') return {};
  const { session, grant, name } = await admission.sessions.read(request.headers.authorization);
  context.grant = grant;
  context.isAuthenticated = true;
  context.isOfBrowser = true;
  addRequestIds(context, { workspaceId: session.workspaceId });
  if (route.limit) take(context, admission.rateLimits[route.limit], name);
  holdFor(context, admission, JSON.stringify([session.workspaceId, session.subject]));
  if (session.workspaceId !== request.params['workspaceId']) throw notFound();
  return { session, sessionName: name };
}

async function principalCaller(
  admission: Admission,
  context: RequestContext,
  route: Route,
  call: Call,
  failures: Failures,
): Promise<Caller> {
  const { workspaceId } = context.request.params;
  const given = credentialOf(context, admission.cookies);
  const authenticate = async (by: Call): Promise<Principal> =>
    principalIn(await admission.authenticate(given, by.rpc, failures), workspaceId);
  const principal = await authenticate(call);
  const { id, type, workspaceIds } = principal;
  context.grant = withClientAddress(principal.grant, clientAddressOf(context.request.ip));
  context.renewGrant = createGrantRenewal(async () => {
    const again = await authenticate(callOf(context));
    // The rest of the answer would show what the beginning shows.
    requireSeesAll(reader, requireAccess(route, again, context.request.params), credentialPointer(again));
    context.grant = withClientAddress(again.grant, clientAddressOf(context.request.ip));
  });
  context.isAuthenticated = true;
  context.isOfBrowser = given.sessionToken !== undefined;
  const ofCaller = workspaceIds.length === 1 ? workspaceIds[0] : context.ids.workspaceId;
  addRequestIds(context, { [idNames[type]]: id, workspaceId: ofCaller });
  const client = limitedClientOf(principal);
  take(context, admission.rateLimits.key, client);
  holdFor(context, admission, client);
  const reader = requireAccess(route, principal, context.request.params);
  context.reader = reader;
  const charge = (calls: number): void => {
    Object.assign(context.fields, admission.rateLimits.key.charge(client, calls));
  };
  const isHead = context.request.method === 'HEAD';
  return { principal, reader, charge, isHead, sessionToken: given.sessionToken };
}

const idNames = { key: 'keyId', person: 'personId', portal: 'portalLinkId' } as const;

/**
 * Returns the credential of a request. A cookie counts only without an Authorization header, and the portal's only in
 * calls of its pages.
 */
function credentialOf({ request }: RequestContext, cookies: ConsoleCookies): GivenCredential {
  const { authorization, cookie } = request.headers;
  const kind = isOfPortal(request) ? 'portalSession' : 'session';
  const sessionToken = authorization === undefined ? cookies[kind].read(cookie) : undefined;
  if (sessionToken === undefined) return { authorization };
  requireSameSite(request, cookies.scheme);
  return { sessionToken, kind };
}

/**
 * Throws 404 for a workspace that the caller cannot access, and 403 for a call that it may not make. Returns what it
 * may see.
 */
function requireAccess(
  route: Route,
  principal: Principal,
  params: Readonly<Record<string, unknown>>,
): Reader {
  const { workspaceId } = params;
  if (typeof workspaceId === 'string' && !principal.workspaceIds.includes(workspaceId)) throw notFound();
  requireScope(route, principal);
  requireOpenToPortal(route, principal, params);
  return readerWith((scope) => hasScope(principal, scope));
}

/** Throws 403 unless the caller has the scope of the route, or is an operator. The only place that decides about it. */
function requireScope({ scope, operationId }: Route, principal: Principal): void {
  if (scope === 'any') return;
  if (scope === 'operator') {
    if (isOperator(principal)) return;
    throw operatorOnly();
  }
  if (scope === undefined) throw new Error(`the route ${operationId} has no scope`);
  if (hasScope(principal, scope)) return;
  throw missingScope([{ pointer: credentialPointer(principal), detail: scope }]);
}

function operatorOnly(): AppError {
  const detail =
    'Only an operator may see the state of the deployment. Sign in with `parley console link --operator`';
  return new AppError('permission_denied', 'operator-only', detail);
}

/**
 * Throws 403 for a session of the portal unless the route is open to it, and 404 for a webhook that it may not see. The
 * only place that decides about calls of the portal.
 */
function requireOpenToPortal(
  { portal }: Route,
  principal: Principal,
  { webhookId }: Readonly<Record<string, unknown>>,
): void {
  if (principal.type !== 'portal') return;
  const { webhookIds } = principal;
  if (portal === undefined || (portal === 'unlimited' && webhookIds)) {
    throw notForCaller('The session of a portal link cannot make this call');
  }
  if (portal !== 'webhook') return;
  if (typeof webhookId !== 'string') throw new Error('the route has no webhook');
  if (webhookIds && !webhookIds.includes(webhookId)) throw notFound();
}

/**
 * Counts failed authentications per address, and per API key or session from any address. These are counted by digests,
 * which keep nothing of the request in memory. Failures of an address beyond its limit do not count against keys.
 */
export function failuresOf(
  { request, fields }: RequestContext,
  { rateLimits, runSuspect }: Pick<Admission, 'rateLimits' | 'runSuspect'>,
): Failures {
  const limit = rateLimits.failures;
  const address = addressGroupOf(request.ip);
  const digestOf = (name: string): string => hash('sha256', name, 'base64url');
  return {
    count: (name) => {
      consumeOrThrow(fields, limit, address);
      if (name !== undefined) consumeOrThrow(fields, limit, digestOf(name));
    },
    check: (check, name) => {
      const areTooMany =
        limit.isExhausted(address) || (name !== undefined && limit.isExhausted(digestOf(name)));
      return areTooMany ? runSuspect(address, check) : check();
    },
  };
}

// As with keys, a token is verified before it is counted: a valid one passes despite failures from the same address.
function tokenCaller({ rateLimits }: Admission, context: RequestContext, failures: Failures): Caller {
  return {
    verified: async (check) => {
      try {
        return await failures.check(check);
      } catch (error) {
        if (isRefusedToken(error)) failures.count();
        throw error;
      }
    },
    countSession: (client) => take(context, rateLimits.sessions, client),
  };
}

function isRefusedToken(error: unknown): boolean {
  return error instanceof AppError && ['invalid-customer-token', 'not-found'].includes(error.type);
}

function holdFor(context: RequestContext, { heldBytes }: Admission, name: string): void {
  context.transfers = heldBytes.of(name);
  context.transfers.require(0);
}

function take({ fields }: RequestContext, limit: RateLimit, client: string): void {
  const { fields: limitFields, refusal } = limit.take(client);
  Object.assign(fields, limitFields);
  if (refusal) throw refusal;
}
