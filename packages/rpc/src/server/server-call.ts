import type { CallContext, Caller } from './context.ts';
import type { Expiring } from '../wire/deadlines.ts';

/** A call that a handler is answering. Creates the signal when it is first read. */
export class ServerCall implements CallContext, Expiring {
  readonly requestId: string;
  readonly caller: Caller | undefined;
  grant: CallContext['grant'];
  grantText: CallContext['grantText'];
  clientAddress: CallContext['clientAddress'];
  readonly expiresAtMs: number;
  #controller: AbortController | undefined;
  #isAborted = false;

  constructor(requestId: string, caller: Caller | undefined, timeoutMs = Number.POSITIVE_INFINITY) {
    this.requestId = requestId;
    this.caller = caller;
    this.expiresAtMs = performance.now() + timeoutMs;
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
