import type { Principal } from '@parley/contracts/identity/v1/identity';
import type { Session } from '@parley/contracts/interaction/v1/conversation';
import { notFound } from '@parley/runtime/errors';
import type { Authenticate } from './authentication.ts';
import { addressGroupOf } from './client-address.ts';
import type { Exchange } from './exchange.ts';
import type { RateLimit, RateLimits } from './rate-limit.ts';
import type { Call, Route } from './route.ts';
import { nameOfSession, type Sessions } from './session.ts';

/** What decides who may come in. */
export interface Admission {
  authenticate: Authenticate;
  rateLimits: RateLimits;
  sessions: Sessions;
}

/** Whose request it is; neither for a public route. */
export interface Caller {
  principal?: Principal;
  session?: Session;
}

/**
 * Lets a request in: 401 without valid credentials, 429 beyond the rate of the key, session or address, and the one
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
  const session = route.access === 'session' ? await admission.sessions.read(authorization) : undefined;
  if (route.limit) {
    take(current, admission.rateLimits[route.limit], session ? nameOfSession(session) : address);
  }
  if (!session) return {};
  if (session.workspaceId !== workspaceId) throw notFound();
  return { session };
}

function take({ fields }: Exchange, limit: RateLimit, holder: string): void {
  const { fields: told, refusal } = limit.take(holder);
  Object.assign(fields, told);
  if (refusal) throw refusal;
}
