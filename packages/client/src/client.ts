import { type Connection, senderOf, type Send } from './calls/call.ts';
import { textOf } from './calls/body.ts';
import { headerFieldsOf } from './calls/header-fields.ts';
import { keyCalls, workspaceCalls } from './gen/calls.ts';
import { failed } from './gen/errors.ts';

export type { Answer } from './calls/answer.ts';
export type { Call, CallOptions, Connection } from './calls/call.ts';
export { type CustomerTokenFields, signCustomerToken } from './customer-token.ts';
export { ParleyError } from './error.ts';
export {
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NoAnswerError,
  NotFoundError,
  NotModifiedError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UnexpectedAnswerError,
} from './gen/errors.ts';
export type { Export, ExportedInteraction } from './export.ts';
export { instant } from './instant.ts';
export type * from './gen/api.ts';
export type { List, Page } from './list.ts';
export type * from './open.ts';

/** The API under a key. */
export interface ClientOptions extends Connection {
  apiKey: string;
  apiSecret: string;
}

/**
 * The API for a person who has signed in, or for who has opened a portal link, in a page of the gateway: the browser
 * sends the cookie.
 */
export interface SessionClientOptions extends Connection {
  session: true | 'portal';
}

/** The calls inside one workspace. */
export type WorkspaceClient = ReturnType<typeof workspaceCalls>;

/**
 * Returns a client of the API under a key, or of a person who has signed in. A key is for servers: browsers must not
 * have the secret. Calls reject with a ParleyError, with the reason of their signal, or with a TypeError for arguments
 * that cannot be sent. Throws a TypeError for unknown or invalid options, such as an empty key or a base URL that is
 * not a URL.
 */
export function createClient(options: ClientOptions | SessionClientOptions) {
  const send = 'session' in options ? connectSession(options) : connectKey(options);
  return {
    ...keyCalls(send),
    /** Returns the calls inside this workspace. Sends nothing. */
    workspace: (workspaceId: string): WorkspaceClient => workspaceCalls(send, workspaceId),
  };
}

function connectKey({ apiKey, apiSecret, ...connection }: ClientOptions): Send {
  if (!isText(apiKey)) throw new TypeError('apiKey must be a text that is not empty');
  if (!isText(apiSecret)) throw new TypeError('apiSecret must be a text that is not empty');
  return senderOf(connection, { authorization: `Basic ${btoa(`${apiKey}:${apiSecret}`)}` }, clientOnly);
}

function connectSession({ session, ...connection }: SessionClientOptions): Send {
  // Callers in JavaScript can pass anything.
  if (session !== true && session !== ('portal' as unknown)) {
    throw new TypeError("session must be true or 'portal'");
  }
  // The browser adds the cookie. A page of another site needs a preflight for this field, which is refused.
  return senderOf(connection, { 'x-parley-console': session === true ? '1' : session }, clientOnly);
}

const clientOnly = { failed, fieldsOf: headerFieldsOf, textOf };

// Callers in JavaScript can pass anything.
function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
