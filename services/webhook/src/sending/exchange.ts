import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type Agent, type Dispatcher, errors } from 'undici';
import { type AttemptError, AttemptFailure, attemptErrorOf } from './attempt-error.ts';
import { type Latency, noLatency } from './latency.ts';
import { excerptBytesMax } from './rules/excerpt.ts';
import type { OutgoingRequest } from './rules/request.ts';

/** How long to wait for the rest of a response with a status other than 2xx. */
const restMsMax = 1_000;

interface Carrier {
  socket: Socket | undefined;
  keep(): void;
  cut(error?: Error): void;
}

export class Exchange implements Dispatcher.DispatchHandler {
  /** Undefined if the pool was closed. */
  connection: Carrier | undefined;
  /** Whether the connection is older than the request. */
  isKept = false;
  readonly latency: Latency = { ...noLatency };
  /** Whether nothing was sent because `sendBefore` had passed. */
  isLate = false;
  status: number | null = null;
  retryAfter: string | null = null;
  readonly chunks: Buffer[] = [];
  isWhole = false;
  /** Null for success, and if the rest of the response is not needed. */
  failure: AttemptError | null = null;
  readonly isResent: boolean;
  readonly #request: OutgoingRequest;
  readonly #ended = Promise.withResolvers<Error | null>();
  readonly #timer: NodeJS.Timeout;
  #restTimer: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #hasBegun = false;
  #sentAtMs = 0;
  #freeBytes = excerptBytesMax;

  /** `timeoutMs`: from now to the last byte that is read. */
  constructor(request: OutgoingRequest, timeoutMs: number, isResent: boolean) {
    this.#request = request;
    this.isResent = isResent;
    this.#timer = setTimeout(() => this.#end(new AttemptFailure('timeout_total')), timeoutMs);
  }

  /** POSTs the request. Rejects with `OwnFault` only. */
  async post(pool: Agent): Promise<void> {
    const { origin, path, headers, body } = this.#request;
    pool.dispatch({ origin, path, method: 'POST', headers, body }, this);
    const error = await this.#ended.promise;
    // undici reuses a connection from the next iteration of the event loop on.
    if (this.isWhole) await setImmediate();
    this.failure = error && attemptErrorOf(error);
  }

  /**
   * Whether a reused connection broke before a byte of a response, as if the receiver closed an idle connection at
   * that moment (RFC 9112, 9.3.1).
   */
  get isLost(): boolean {
    return this.isKept && !this.#hasBegun && this.failure === 'reset';
  }

  /** undici calls this right before it writes the request. If it is aborted here, undici writes nothing. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#sentAtMs = performance.now();
    this.isLate = this.#sentAtMs >= this.#request.sendBefore();
    if (this.isLate || this.#hasEnded) controller.abort(new errors.RequestAbortedError());
  }

  onResponseStarted(): void {
    this.#hasBegun = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    // An interim response is no result.
    if (status < 200) return;
    this.status = status;
    this.retryAfter = headers['retry-after']?.toString() ?? null;
    this.latency.firstByteMs = Math.round(performance.now() - this.#sentAtMs);
    if (status >= 300) this.#restTimer = setTimeout(() => this.#end(null), restMsMax);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    const kept = chunk.subarray(0, this.#freeBytes);
    this.chunks.push(kept);
    this.#freeBytes -= kept.length;
    if (kept.length < chunk.length) this.#end(null);
  }

  onResponseEnd(): void {
    // undici treats a reset as the end of a response without a length (RFC 9112, 8).
    const reset = this.connection?.socket?.errored ?? null;
    this.#end(reset, !reset);
  }

  onResponseError(_controller: unknown, error: Error): void {
    // Before a status, the header is rejected: its lengths are invalid.
    const isRejected = this.status === null && error instanceof errors.ResponseContentLengthMismatchError;
    this.#end(isRejected ? new AttemptFailure('protocol', error) : error);
  }

  #end(error: Error | null, isWhole = false): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#restTimer);
    this.isWhole = isWhole;
    if (isWhole) this.connection?.keep();
    else this.connection?.cut(new errors.RequestAbortedError());
    this.#ended.resolve(error);
  }
}
