import type { Principal } from '@parley/contracts/identity/v1/identity';
import type { Session } from '@parley/contracts/interaction/v1/conversation';
import { notFound } from '@parley/runtime/errors';
import type { Authenticate } from './authentication.ts';
import type { Exchange } from './exchange.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Call, Route } from './route.ts';
import type { Sessions } from './session.ts';

/** What decides who may come in. */
export interface Admission {
  authenticate: Authenticate;
  rateLimit: RateLimit;
  sessions: Sessions;
}

/** Whose request it is; neither for a public route. */
export interface Caller {
  principal?: Principal;
  session?: Session;
}

/**
 * Lets a request in: 401 without valid credentials, 429 beyond the key's rate, and the one 404 for a workspace that
 * the key or session cannot reach, which says nothing of whether it exists.
 */
export async function admit(
  admission: Admission,
  current: Exchange,
  route: Route,
  call: Call,
): Promise<Caller> {
  const { request, fields } = current;
  const { authorization } = request.headers;
  const { workspaceId } = request.params;

  if (route.access === 'key') {
    const address = request.socket.remoteAddress ?? '';
    const principal = await admission.authenticate(authorization, address, call.rpc);
    const { fields: limitFields, refusal } = await admission.rateLimit.take(principal.apiKey);
    Object.assign(fields, limitFields);
    if (refusal) throw refusal;
    if (typeof workspaceId === 'string' && !principal.workspaceIds.includes(workspaceId)) throw notFound();
    return { principal };
  }
  if (route.access === 'session') {
    const session = await admission.sessions.read(authorization);
    if (session.workspaceId !== workspaceId) throw notFound();
    return { session };
  }
  return {};
}
