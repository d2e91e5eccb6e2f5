import { hash } from 'node:crypto';
import type { Principal } from '@parley/contracts/identity/v1/identity';
import { withClientAddress } from '@parley/rpc/grants';
import { AppError, missingScope, notFound } from '@parley/runtime/errors';
import type { Authenticate, Failures } from './authentication.ts';
import { isRefusal } from './credential-cache.ts';
import { addressGroupOf, clientAddressOf } from '../http/client-address.ts';
import type { HeldBytes } from '../http/held-bytes.ts';
import { type Call, callOf, type RequestContext } from '../http/request-context.ts';
import { addRequestIds } from '../http/request-ids.ts';
import { consumeOrThrow, type RateLimit, type RateLimits } from '../limits/rate-limit.ts';
import type { KeyCall, Route, SessionCall, TokenCall } from '../http/route.ts';
import { type Reader, readerOf, requirePersonalData } from '../values/reader.ts';
import type { Sessions } from './session.ts';
import type { RunSuspect } from './suspects.ts';

/** The parts that decide on admission. */
export interface Admission {
  authenticate: Authenticate;
  rateLimits: RateLimits;
  sessions: Sessions;
  runSuspect: RunSuspect;
  heldBytes: HeldBytes;
}

/** The caller, or the way to verify it. Empty for a public route. */
export interface Caller extends Partial<Omit<SessionCall & TokenCall, keyof Call>> {
  principal?: Principal;
  reader?: Reader;
  charge?: KeyCall['charge'];
}

/**
 * Admits a request. 401 without valid credentials, 429 beyond the rate of the key or session. 404 for a workspace that
 * the key or session cannot access, the same as for one that does not exist. 403 if the key lacks the route's scope.
 */
export async function admit(
  admission: Admission,
  context: RequestContext,
  route: Route,
  call: Call,
): Promise<Caller> {
  const { request } = context;
  const { authorization } = request.headers;
  const { workspaceId } = request.params;
  const failures = failuresOf(context, admission);

  if (route.access === 'key') {
    const authenticate = (by: Call) => admission.authenticate(authorization, by.rpc, failures);
    const principal = await authenticate(call);
    context.grant = withClientAddress(principal.grant, clientAddressOf(request.ip));
    context.renewGrant = grantRenewal(context, route, () => authenticate(callOf(context)));
    context.isAuthenticated = true;
    const { apiKey: keyId, workspaceIds } = principal;
    const ofKey = workspaceIds.length === 1 ? workspaceIds[0] : context.ids.workspaceId;
    addRequestIds(context, { keyId, workspaceId: ofKey });
    take(context, admission.rateLimits.key, principal.apiKey);
    holdFor(context, admission, principal.apiKey);
    if (typeof workspaceId === 'string' && !principal.workspaceIds.includes(workspaceId)) throw notFound();
    requireScope(route, principal);
    const reader = readerOf(principal);
    context.reader = reader;
    const charge = (calls: number): void => {
      Object.assign(context.fields, admission.rateLimits.key.charge(principal.apiKey, calls));
    };
    return { principal, reader, charge };
  }
  if (route.access === 'token') return tokenCaller(admission, context, failures);
  if (route.access === 'public') return {};
  const { session, grant, name } = await admission.sessions.read(authorization);
  context.grant = grant;
  context.isAuthenticated = true;
  addRequestIds(context, { workspaceId: session.workspaceId });
  if (route.limit) take(context, admission.rateLimits[route.limit], name);
  holdFor(context, admission, JSON.stringify([session.workspaceId, session.subject]));
  if (session.workspaceId !== workspaceId) throw notFound();
  return { session, sessionName: name };
}

/** Throws 403 unless the key has the scope of the route. The only place that decides about scopes. */
function requireScope({ scope, operationId }: Route, { scopes }: Principal): void {
  if (scope === 'any') return;
  if (scope === undefined) throw new Error(`the route ${operationId} has no scope`);
  // A replica of identity that does not know scopes accepts only keys that have all.
  if (scopes.length === 0 || scopes.includes(scope)) return;
  throw missingScope([{ pointer: '/headers/authorization', detail: scope }]);
}

/** Half of the time that a grant of a key lasts at least. */
const renewedAfterMs = 30_000;

/**
 * Returns a function that replaces the grant of a long answer in time. It throws if the key is not valid any more, or
 * has lost the scope, or that for personal data which the answer has.
 */
function grantRenewal(
  context: RequestContext,
  route: Route,
  authenticate: () => Promise<Principal>,
): () => Promise<void> {
  let grantedAtMs = performance.now();
  return async () => {
    if (performance.now() - grantedAtMs < renewedAfterMs) return;
    try {
      const principal = await authenticate();
      requireScope(route, principal);
      // The rest of the answer would show what the beginning shows.
      if (context.reader?.seesPersonalData) {
        requirePersonalData(readerOf(principal), '/headers/authorization');
      }
      context.grant = withClientAddress(principal.grant, clientAddressOf(context.request.ip));
      grantedAtMs = performance.now();
    } catch (error) {
      // While identity is unavailable, the last grant may still be valid.
      if (isRefusal(error) || isMissingScope(error)) throw error;
    }
  };
}

/**
 * Counts failed authentications per address, and per API key from any address. Keys are counted by digests, which keep
 * nothing of the request in memory. Failures of an address beyond its limit do not count against keys.
 */
function failuresOf({ request, fields }: RequestContext, { rateLimits, runSuspect }: Admission): Failures {
  const limit = rateLimits.failures;
  const address = addressGroupOf(request.ip);
  const digestOf = (apiKey: string): string => hash('sha256', apiKey, 'base64url');
  return {
    count: (apiKey) => {
      consumeOrThrow(fields, limit, address);
      if (apiKey !== undefined) consumeOrThrow(fields, limit, digestOf(apiKey));
    },
    check: (check, apiKey) => {
      const areTooMany =
        limit.isExhausted(address) || (apiKey !== undefined && limit.isExhausted(digestOf(apiKey)));
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
    countSession: (holder) => take(context, rateLimits.sessions, holder),
  };
}

function isMissingScope(error: unknown): boolean {
  return error instanceof AppError && error.type === 'missing-scope';
}

function isRefusedToken(error: unknown): boolean {
  return error instanceof AppError && ['invalid-customer-token', 'not-found'].includes(error.type);
}

function holdFor(context: RequestContext, { heldBytes }: Admission, name: string): void {
  context.holder = heldBytes.of(name);
  context.holder.require(0);
}

function take({ fields }: RequestContext, limit: RateLimit, holder: string): void {
  const { fields: limitFields, refusal } = limit.take(holder);
  Object.assign(fields, limitFields);
  if (refusal) throw refusal;
}
