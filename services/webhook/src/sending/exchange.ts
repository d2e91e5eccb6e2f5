import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, errors } from 'undici';
import { AttemptFailure } from './attempt-error.ts';
import type { Connection } from './connections.ts';
import { excerptBytesMax } from './excerpt.ts';
import type { OutgoingRequest } from './request.ts';

/** How long the rest of a response is awaited whose status alone is the outcome. */
const restMsMax = 1_000;

/** How a request and its response went. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Undefined when the pool was closed before. */
  connection: Connection | undefined;
  /** Whether the request must not meet a kept connection. */
  readonly isResent: boolean;
  /** Whether nothing was sent since `sendBefore` had passed. */
  isLate = false;
  /** Whether anything of a response came, even one byte or an interim response. */
  hasBegun = false;
  /** Null when no status line came. */
  status: number | null = null;
  /** The response's header as it came; null without one. */
  retryAfter: string | null = null;
  /** From the request's first byte to the response's headers. */
  firstByteMs: number | null = null;
  /** The first bytes of the response's body as they came, never decompressed; at most 16 KiB. */
  readonly chunks: Buffer[] = [];
  /** Whether the whole response was read. */
  isWhole = false;
  /** Null for success, and when the rest of the response is not needed. */
  error: Error | null = null;
  readonly #ended = Promise.withResolvers<void>();
  readonly #sendBefore: () => number;
  #hasEnded = false;
  #timer: NodeJS.Timeout;
  readonly #endsAtMs: number;
  #sentAtMs = 0;
  #roomBytes = excerptBytesMax;

  /** `timeoutMs`: from now to the last byte that is read. */
  constructor(sendBefore: () => number, timeoutMs: number, isResent: boolean) {
    this.#sendBefore = sendBefore;
    this.isResent = isResent;
    this.#endsAtMs = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#end(new AttemptFailure('timeout_total')), timeoutMs);
  }

  /** POSTs the request once. Never rejects. */
  async post(dispatcher: Dispatcher, { origin, path, headers, body }: OutgoingRequest): Promise<void> {
    dispatcher.dispatch({ origin, path, method: 'POST', headers, body }, this);
    await this.#ended.promise;
  }

  /** undici calls this right before it writes the request, and writes nothing of one that is aborted here. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#sentAtMs = performance.now();
    this.isLate = this.#sentAtMs >= this.#sendBefore();
    if (this.isLate || this.#hasEnded) controller.abort(new errors.RequestAbortedError());
  }

  onResponseStarted(): void {
    this.hasBegun = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    // Interim responses say nothing.
    if (status < 200) return;
    this.status = status;
    this.retryAfter = headers['retry-after']?.toString() ?? null;
    const nowMs = performance.now();
    this.firstByteMs = Math.round(nowMs - this.#sentAtMs);
    if (status < 300) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(null), Math.min(restMsMax, this.#endsAtMs - nowMs));
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    const kept = chunk.subarray(0, this.#roomBytes);
    this.chunks.push(kept);
    this.#roomBytes -= kept.length;
    if (kept.length < chunk.length) this.#end(null);
  }

  onResponseEnd(): void {
    // undici takes a reset for the end of a response without a length (RFC 9112, 8).
    const reset = this.connection?.socket?.errored ?? null;
    this.#end(reset, !reset);
  }

  onResponseError(_controller: unknown, error: Error): void {
    // Before a status it is the header that is rejected: its lengths are invalid.
    const isRejected = this.status === null && error instanceof errors.ResponseContentLengthMismatchError;
    this.#end(isRejected ? new AttemptFailure('protocol', error) : error);
  }

  #end(error: Error | null, isWhole = false): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.error = error;
    this.isWhole = isWhole;
    if (isWhole) this.connection?.keep();
    else this.connection?.cut(new errors.RequestAbortedError());
    this.#ended.resolve();
  }
}
