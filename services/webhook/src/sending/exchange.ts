import { type Client, type Dispatcher, errors } from 'undici';
import { AttemptFailure } from './attempt-error.ts';
import { excerptBytesMax } from './excerpt.ts';
import type { OutgoingRequest } from './request.ts';

/** How long the rest of an answer is waited for whose status is the outcome, whatever comes. */
const restMsMax = 1_000;

/** How a request and its answer went over a connection. */
export interface Exchange {
  /** Null when no status line came. */
  status: number | null;
  /** Of the answer's header, as it came; null without one. */
  retryAfter: string | null;
  /** The first bytes of the answer's body as they came, never decompressed; at most 16 KiB. */
  excerpt: Buffer;
  /** From the request's first byte to the answer's headers. */
  firstByteMs: number | null;
  /** Why it did not come to its end; null also when no more of the answer is wanted. */
  error: Error | null;
  /** Whether anything of an answer came, if only its first byte, or an interim answer. */
  hasBegun: boolean;
  /** Whether all of the answer was read, so that the connection may have another. */
  isWhole: boolean;
}

/**
 * POSTs over a connection, at most for `timeoutMs` from now to the last byte that is read; of an answer that is no success at
 * most for a second from its header on, so that whoever says stop is heard soon. Never rejects. What is under way after it
 * has ended is the caller's to end, with the connection.
 */
export function exchange(client: Client, request: OutgoingRequest, timeoutMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let hasBegun = false;
    let status: number | null = null;
    let retryAfter: string | null = null;
    let sentAt: number | null = null;
    let firstByteMs: number | null = null;

    const end = (error: Error | null, isWhole = false): void => {
      clearTimeout(timer);
      const excerpt = Buffer.concat(chunks);
      resolve({ status, retryAfter, excerpt, firstByteMs, error, hasBegun, isWhole });
    };
    const endsAtMs = performance.now() + timeoutMs;
    let timer = setTimeout(() => end(new AttemptFailure('timeout_total')), timeoutMs);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {
        sentAt = performance.now();
      },
      onResponseStarted: () => {
        hasBegun = true;
      },
      onResponseStart: (_controller, code, headers) => {
        // Interim answers say nothing.
        if (code < 200) return;
        status = code;
        retryAfter = headers['retry-after']?.toString() ?? null;
        const nowMs = performance.now();
        firstByteMs = sentAt && Math.round(nowMs - sentAt);
        if (code < 300) return;
        clearTimeout(timer);
        timer = setTimeout(() => end(null), Math.min(restMsMax, endsAtMs - nowMs));
      },
      onResponseData: (controller, chunk) => {
        const room = excerptBytesMax - bytes;
        chunks.push(chunk.subarray(0, room));
        bytes += Math.min(chunk.length, room);
        if (chunk.length <= room) return;
        end(null);
        controller.abort(new errors.RequestAbortedError());
      },
      onResponseEnd: () => end(null, true),
      onResponseError: (_controller, error) => {
        // Before a status it is the header that is refused: the lengths in it make no sense.
        const isRefused = status === null && error instanceof errors.ResponseContentLengthMismatchError;
        end(isRefused ? new AttemptFailure('protocol', error) : error);
      },
    };
    const { path, headers, body } = request;
    client.dispatch({ path, method: 'POST', headers, body }, handler);
  });
}
