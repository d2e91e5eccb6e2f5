/** Who calls: another service of ours, the operator with the admin credential, or one whose credential is not ours. */
export type Caller = 'service' | 'operator' | 'stranger';

/** What a handler knows of its call besides the request. */
export interface CallContext {
  requestId: string;
  /** Never a stranger; undefined, without any credential, only where none is asked for. */
  caller: Caller | undefined;
  /** Aborted when the caller has gone or its deadline has passed. */
  signal: AbortSignal;
}

/** Credentials of calls between processes, as bearer tokens (RFC 6750). */
export interface RpcTokens {
  service: string;
  operator: string;
}

/** The context of a call that may be aborted. The signal is made only for a handler that asks for it: most never do. */
export class AbortableContext implements CallContext {
  readonly requestId: string;
  readonly caller: Caller | undefined;
  #controller: AbortController | undefined;
  #isAborted = false;

  constructor(requestId: string, caller: Caller | undefined) {
    this.requestId = requestId;
    this.caller = caller;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }
}
