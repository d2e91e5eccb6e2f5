import { type Connection, senderOf } from './calls/call.ts';
import { sessionCalls, tokenCalls } from './gen/calls.ts';

export { ParleyError } from './error.ts';
export { instant } from './instant.ts';
export { toJson } from './json.ts';
export type { Branding, Input, Message, Pending, Snapshot } from './gen/api.ts';

/** The calls of one customer's session. */
export type SessionClient = ReturnType<typeof sessionCalls>;

/**
 * Returns a client of the API for browsers, where a customer talks to a bot. Throws a TypeError for invalid
 * options.
 */
export function createPublicClient(connection: Connection) {
  return {
    ...tokenCalls(senderOf(connection)),
    /** Returns the calls under a session. It lives 15 minutes. */
    session: ({ workspaceId, sessionToken }: { workspaceId: string; sessionToken: string }): SessionClient =>
      sessionCalls(senderOf(connection, { authorization: `Bearer ${sessionToken}` }), workspaceId),
  };
}
