import type { Principal } from '@parley/contracts/identity/v1/identity';
import { AppError, notFound } from '@parley/runtime/errors';
import type { Authenticate } from './authentication.ts';
import { addressGroupOf } from './client-address.ts';
import type { Exchange } from './exchange.ts';
import type { FailureLimit } from './failure-limit.ts';
import type { RateLimit, RateLimits } from './rate-limit.ts';
import type { Call, Route, SessionCall, TokenCall } from './route.ts';
import type { Sessions } from './session.ts';

/** What decides who may come in. */
export interface Admission {
  authenticate: Authenticate;
  /** Counts tokens that are refused. */
  failures: FailureLimit;
  rateLimits: RateLimits;
  sessions: Sessions;
}

/** Whose request it is, or how that is to be found out; nothing for a public route. */
export interface Caller extends Partial<Omit<SessionCall & TokenCall, keyof Call>> {
  principal?: Principal;
}

/**
 * Lets a request in: 401 without valid credentials, 429 beyond the rate of the key or session, and the one
 * 404 for a workspace that the key or session cannot reach, which says nothing of whether it exists.
 */
export async function admit(
  admission: Admission,
  current: Exchange,
  route: Route,
  call: Call,
): Promise<Caller> {
  const { request } = current;
  const { authorization } = request.headers;
  const { workspaceId } = request.params;
  const address = addressGroupOf(request.ip);

  if (route.access === 'key') {
    const principal = await admission.authenticate(authorization, address, call.rpc);
    take(current, admission.rateLimits.key, principal.apiKey);
    if (typeof workspaceId === 'string' && !principal.workspaceIds.includes(workspaceId)) throw notFound();
    return { principal };
  }
  if (route.access === 'token') return tokenCaller(admission, current, address);
  if (route.access === 'public') return {};
  const { session, name } = await admission.sessions.read(authorization);
  if (route.limit) take(current, admission.rateLimits[route.limit], name);
  if (session.workspaceId !== workspaceId) throw notFound();
  return { session, sessionName: name };
}

// As with keys: verified before it is counted, so that valid ones pass whoever else fails behind the same address.
function tokenCaller({ failures, rateLimits }: Admission, current: Exchange, address: string): Caller {
  return {
    verified: async (check) => {
      try {
        return await check;
      } catch (error) {
        if (isRefusedToken(error)) failures.count(address, undefined);
        throw error;
      }
    },
    countSession: (holder) => take(current, rateLimits.sessions, holder),
  };
}

function isRefusedToken(error: unknown): boolean {
  return error instanceof AppError && ['invalid-customer-token', 'not-found'].includes(error.type);
}

function take({ fields }: Exchange, limit: RateLimit, holder: string): void {
  const { fields: told, refusal } = limit.take(holder);
  Object.assign(fields, told);
  if (refusal) throw refusal;
}
