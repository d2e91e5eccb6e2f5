import { type Connection, connect } from './call.ts';
import { keyCalls, workspaceCalls } from './gen/calls.ts';

export type { Answer } from './answer.ts';
export type { Call, CallOptions, ChangeOptions, Connection, CreateOptions } from './call.ts';
export { ParleyError } from './error.ts';
export type { Export, ExportedInteraction } from './export.ts';
export { instant } from './instant.ts';
export type * from './gen/api.ts';
export type { List, Page } from './list.ts';

/** The API under a key. */
export interface ClientOptions extends Connection {
  apiKey: string;
  apiSecret: string;
}

/** The calls inside one workspace. */
export type WorkspaceClient = ReturnType<typeof workspaceCalls>;

/**
 * Returns a client of the API under a key. For servers: browsers must not have the secret. Calls reject with a
 * ParleyError, with the reason of their signal, or with a TypeError for arguments that cannot be sent. Throws a
 * TypeError for unknown or invalid options, such as an empty key or a base URL that is not a URL.
 */
export function createClient({ apiKey, apiSecret, ...connection }: ClientOptions) {
  if (!isText(apiKey)) throw new TypeError('apiKey must be a text that is not empty');
  if (!isText(apiSecret)) throw new TypeError('apiSecret must be a text that is not empty');
  const send = connect(connection, `Basic ${btoa(`${apiKey}:${apiSecret}`)}`);
  return {
    ...keyCalls(send),
    /** Returns the calls inside this workspace. Sends nothing. */
    workspace: (workspaceId: string): WorkspaceClient => workspaceCalls(send, workspaceId),
  };
}

// Callers in JavaScript can pass anything.
function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
