import { AsyncLocalStorage } from 'node:async_hooks';

/** Who makes a call that the audit log records. */
export interface Actor {
  type: 'key' | 'person' | 'portal' | 'operator';
  id: string;
  /** May be empty. */
  name: string;
  requestId: string;
  clientAddress: string | undefined;
}

/** Whose work is done, and until when a caller waits for it. */
export interface WorkScope {
  /** The id of the workspace; the client's address where no workspace is known; empty for the work of the process. */
  readonly tenant: string;
  /** Aborts when the caller gives up: its deadline has passed, it has cancelled, or it has disconnected. */
  readonly signal: AbortSignal | undefined;
  /** Undefined for the work of customers, other services and the process. */
  readonly actor?: Actor | undefined;
}

const processScope: WorkScope = { tenant: '', signal: undefined };
const scopes = new AsyncLocalStorage<WorkScope>();

/** Runs `work` for a tenant. All that it starts belongs to the scope, except in `detached`. */
export function inWorkScope<Result>(scope: WorkScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** Outside of calls, the scope of the process. */
export function currentScope(): WorkScope {
  return scopes.getStore() ?? processScope;
}

/** Runs `work` for the process: it serves several callers, or must outlive the call that starts it. */
export function detached<Result>(work: () => Result): Result {
  return scopes.run(processScope, work);
}
