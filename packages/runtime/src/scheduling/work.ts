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
export interface Work {
  /** The id of the workspace; the client's address where no workspace is known; empty for the work of the process. */
  readonly tenant: string;
  /** Aborts when the caller gives up: its deadline has passed, it has cancelled, or it has disconnected. */
  readonly signal: AbortSignal | undefined;
  /** Undefined for the work of customers, other services and the process. */
  readonly actor?: Actor | undefined;
}

const processWork: Work = { tenant: '', signal: undefined };
const current = new AsyncLocalStorage<Work>();

/** Calls `run` as this work. All that it starts belongs to the work, except in `detached`. */
export function inWork<Result>(work: Work, run: () => Result): Result {
  return current.run(work, run);
}

/** Outside of calls, the work of the process. */
export function currentWork(): Work {
  return current.getStore() ?? processWork;
}

/** Calls `run` as work of the process: it serves several callers, or must outlive the call that starts it. */
export function detached<Result>(run: () => Result): Result {
  return current.run(processWork, run);
}
