import { type Connection, connect } from './call.ts';
import { keyCalls, workspaceCalls } from './gen/calls.ts';

export type { Answer } from './answer.ts';
export type { Call, CallOptions, ChangeOptions, Connection, CreateOptions } from './call.ts';
export { ParleyError } from './error.ts';
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
 * TypeError for invalid options, such as a base URL that is not a URL.
 */
export function createClient(options: ClientOptions) {
  const send = connect(options, `Basic ${btoa(`${options.apiKey}:${options.apiSecret}`)}`);
  return {
    ...keyCalls(send),
    /** Returns the calls inside this workspace. Sends nothing. */
    workspace: (workspaceId: string): WorkspaceClient => workspaceCalls(send, workspaceId),
  };
}
