import { setImmediate } from 'node:timers/promises';
import type { Agent } from 'undici';
import { type AttemptError, attemptErrorOf, type ConnectParts, noParts } from './attempt-error.ts';
import { createConnectionPool } from './connections.ts';
import { createDial, type DialOptions } from './dial.ts';
import { Exchange } from './exchange.ts';
import type { OutgoingRequest } from './request.ts';
import { connectToProxy } from './tunnel.ts';

/**
 * Milliseconds of the steps of an attempt; null for a step that was not completed, or not needed on a kept connection.
 */
export interface Latency extends ConnectParts {
  /** From the request's first byte to the response's headers. */
  firstByteMs: number | null;
}

/** How one HTTP try went. A failure is a value: receivers fail all the time. */
export interface AttemptResult {
  startedAt: Date;
  durationMs: number;
  latency: Latency;
  /** Null when no status line came. */
  status: number | null;
  /**
   * Null for success: an answer with 2xx that came whole, or as far as it is read, in time. Another status is the
   * outcome as soon as it is there, whatever becomes of the rest of the answer.
   */
  error: AttemptError | null;
  /** The `Retry-After` of the answer as it came; null without one. */
  retryAfter: string | null;
  /** The first bytes of the answer's body, at most 16 KiB. */
  excerpt: Buffer;
  /** Whether they are not all: the answer did not come to its end, or is longer. */
  isCut: boolean;
}

/** The shared HTTP client of a process. */
export interface Sender extends AsyncDisposable {
  /**
   * Makes one attempt. The request is sent twice when the first time went to a kept connection that was about to be
   * closed: the receiver recognizes it by its `webhook-id`. Resolves to undefined when `sendBefore` had passed before a
   * byte was sent, or when the sender was closed before the outcome was known. Rejects with `OwnFault` when the
   * receiver has no part in the failure.
   */
  post(request: OutgoingRequest): Promise<AttemptResult | undefined>;
}

export interface SenderOptions extends DialOptions {
  /** Of an attempt from its start to the last byte of the answer that is read. */
  totalTimeoutMs: number;
}

/** How an attempt ends whose proxy has gone away meanwhile. */
const cutOff: ReadonlySet<AttemptError | null> = new Set(['reset', 'timeout_connect', 'timeout_total']);

const noLatency: Latency = { ...noParts, firstByteMs: null };

/**
 * Opens the client. How many attempts are under way is up to the caller. Redirects are never followed.
 * Disposing of it ends what is under way.
 */
export function openSender(options: SenderOptions): Sender {
  const connections = createConnectionPool(createDial(options));
  const { egressProxy, totalTimeoutMs } = options;
  let isClosed = false;
  return {
    post: async (request) => {
      if (isClosed || performance.now() >= request.sendBefore()) return undefined;
      try {
        const result = await attempt(connections, request, totalTimeoutMs);
        if (egressProxy && result?.status === null && cutOff.has(result.error)) {
          await reachProxy(egressProxy, options.connectTimeoutMs);
        }
        return isClosed && result?.error !== null ? undefined : result;
      } catch (error) {
        if (isClosed) return undefined;
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await connections.destroy();
    },
  };
}

/** Rejects with `OwnFault` when the proxy is away. */
async function reachProxy(proxy: URL, timeoutMs: number): Promise<void> {
  const socket = await connectToProxy(proxy, AbortSignal.timeout(timeoutMs));
  socket.destroy();
}

async function attempt(
  connections: Agent,
  request: OutgoingRequest,
  timeoutMs: number,
): Promise<AttemptResult | undefined> {
  const startedAt = new Date();
  const start = performance.now();
  let sent = await send(connections, request, timeoutMs, false);
  if (sent?.isLost) {
    const leftMs = timeoutMs - (performance.now() - start);
    sent = (await send(connections, request, leftMs, true)) ?? sent;
  }
  if (!sent) return undefined;
  const { status, retryAfter, excerpt, isCut, latency, failure } = sent;
  const durationMs = Math.round(performance.now() - start);

  // What was found out before we turned round would tell of our network, or help to look for it.
  if (failure === 'blocked_address') {
    return {
      startedAt,
      durationMs: 0,
      latency: noLatency,
      status: null,
      error: failure,
      retryAfter: null,
      excerpt: Buffer.of(),
      isCut: false,
    };
  }
  return {
    startedAt,
    durationMs,
    latency,
    status,
    error: errorOf(status, failure),
    retryAfter,
    excerpt,
    isCut,
  };
}

/**
 * Sends a request. `isLost`: a kept connection broke before a byte of a response came, as when the receiver closes an
 * idle connection at that very moment (RFC 9112, 9.3.1).
 */
async function send(connections: Agent, request: OutgoingRequest, timeoutMs: number, isResent: boolean) {
  const exchange = new Exchange(request.sendBefore, timeoutMs, isResent);
  await exchange.post(connections, request);
  const { connection, isLate, hasBegun, status, retryAfter, firstByteMs, chunks, isWhole, error } = exchange;
  if (isLate) return undefined;
  // undici reuses a connection from the next turn of the event loop on.
  if (isWhole) await setImmediate();
  const failure = error && attemptErrorOf(error);
  const isLost = connection?.parts === noParts && !hasBegun && failure === 'reset';
  const latency = { ...(connection?.parts ?? noParts), firstByteMs };
  return { status, retryAfter, excerpt: Buffer.concat(chunks), isCut: !isWhole, latency, failure, isLost };
}

/**
 * Of an answer with 2xx, and of none, how it failed decides; of any other its status, which is known before its body.
 */
function errorOf(status: number | null, failure: AttemptError | null): AttemptError | null {
  if (status === null || (status >= 200 && status < 300)) return failure;
  return `http_${status}`;
}
