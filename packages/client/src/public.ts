import { type CallOptions, type Connection, connect, defaultTimeoutMs } from './call.ts';
import type { Operations } from './gen/api.ts';
import type { Message } from './message.ts';
import { checkBaseUrl } from './request.ts';

export { ParleyError } from './error.ts';
export { instant } from './instant.ts';
export type { Branding, Input, Pending, Snapshot } from './gen/api.ts';
export type { Message, MessageAnswer } from './message.ts';

interface SpeechOptions extends CallOptions {
  /** The customer's language, a BCP 47 tag: texts are in it where the bot has them, else in the bot's own. */
  locale?: string | undefined;
}

/** The calls of one customer's session. */
export type SessionClient = ReturnType<ReturnType<typeof createPublicClient>['session']>;

/** A client of the API for browsers, where a customer talks to a bot. Throws a TypeError for options that cannot be kept to. */
export function createPublicClient(connection: Connection) {
  checkBaseUrl(connection.baseUrl);
  const send = connect(connection);
  return {
    /** Begins a session with a token that the client's backend has made for its customer. */
    createSession: (workspaceId: string, customerToken: string, options?: CallOptions) =>
      send('createSession', { params: { workspaceId }, body: { customerToken } }, options),
    /** Begins a session with the token of a link, its last part. Changes nothing. */
    createLinkSession: (token: string, options?: CallOptions) =>
      send('createLinkSession', { body: { token } }, options),
    /** The calls under a session; it lives 15 minutes. */
    session: ({ workspaceId, sessionToken }: { workspaceId: string; sessionToken: string }) =>
      inSession(connection, workspaceId, sessionToken),
  };
}

function inSession(connection: Connection, workspaceId: string, sessionToken: string) {
  const send = connect(connection, `Bearer ${sessionToken}`);
  const { timeoutMs = defaultTimeoutMs } = connection;
  return {
    /** The best waiting interaction, or null. */
    getPending: ({ locale, ...options }: SpeechOptions = {}) =>
      send(
        'getPending',
        { params: { workspaceId }, ...(locale !== undefined && { query: { locale } }) },
        options,
      ),
    /** The talk so far; with `wait` it waits so many seconds for something newer than `after`. */
    getConversation: (
      interactionId: string,
      query: NonNullable<Operations['getConversation']['input']['query']> = {},
      options?: CallOptions,
    ) =>
      send(
        'getConversation',
        { params: { workspaceId, interactionId }, query },
        { timeoutMs: timeoutMs + (query.wait ?? 0) * 1000, ...options },
      ),
    /** May be called again: a talk in progress is answered as it is, in the language that it began in. */
    startConversation: (interactionId: string, { locale, ...options }: SpeechOptions = {}) =>
      send(
        'startConversation',
        { params: { workspaceId, interactionId }, ...(locale !== undefined && { body: { locale } }) },
        options,
      ),
    /** Answers the step that is waiting. The same `clientMessageId` again has no other effect. */
    postMessage: (interactionId: string, message: Message, options?: CallOptions) =>
      send('postMessage', { params: { workspaceId, interactionId }, body: message }, options),
  };
}
