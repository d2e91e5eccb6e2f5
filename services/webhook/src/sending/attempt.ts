import { type AttemptError, attemptErrorOf, ConnectFailure } from './attempt-error.ts';
import { type Connection, type Connections, createConnections } from './connections.ts';
import { createDial, type DialOptions } from './dial.ts';
import { exchange } from './exchange.ts';
import type { OutgoingRequest } from './request.ts';
import { connectToProxy } from './tunnel.ts';

/** Milliseconds of the parts of an attempt; null for what was not done to its end, or not at all since the connection was there. */
export interface Latency {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the request's first byte to the answer's headers. */
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
   * Null for success: an answer with 2xx that came whole, or as far as it is read, in time. Another status is the outcome as soon
   * as it is there, whatever becomes of the rest of the answer.
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
   * Makes one attempt. It is sent twice when the first time went to a kept connection that was about to be closed: the
   * receiver knows it by its `webhook-id`. Undefined when the sender was closed before the outcome was known. Rejects with `OwnFault` when
   * the receiver has no part in the failure.
   */
  post(request: OutgoingRequest): Promise<AttemptResult | undefined>;
}

export interface SenderOptions extends DialOptions {
  /** Of an attempt from its start to the last byte of the answer that is read. */
  totalTimeoutMs: number;
}

/** How an attempt ends whose proxy has gone away meanwhile. */
const cutOff: ReadonlySet<AttemptError | null> = new Set(['reset', 'timeout_connect', 'timeout_total']);

const noLatency: Latency = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };

/**
 * Opens the client. How many attempts are under way is up to the caller. Redirects are never followed.
 * Disposing of it ends what is under way.
 */
export function openSender(options: SenderOptions): Sender {
  const connections = createConnections(createDial(options));
  const { egressProxy } = options;
  let isClosed = false;
  return {
    post: async (request) => {
      if (isClosed) return undefined;
      try {
        const result = await attempt(connections, request, options.totalTimeoutMs);
        if (egressProxy && result.status === null && cutOff.has(result.error)) {
          await reachProxy(egressProxy, options.connectTimeoutMs);
        }
        return isClosed && result.error !== null ? undefined : result;
      } catch (error) {
        if (isClosed) return undefined;
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await connections[Symbol.asyncDispose]();
    },
  };
}

/** Rejects with `OwnFault` when the proxy is away. */
async function reachProxy(proxy: URL, timeoutMs: number): Promise<void> {
  const socket = await connectToProxy(proxy, AbortSignal.timeout(timeoutMs));
  socket.destroy();
}

async function attempt(
  connections: Connections,
  request: OutgoingRequest,
  timeoutMs: number,
): Promise<AttemptResult> {
  const startedAt = new Date();
  const start = performance.now();
  let sent = await send(connections.take(request.origin), request, timeoutMs);
  if (sent.isLost) {
    const leftMs = timeoutMs - (performance.now() - start);
    sent = await send(connections.open(request.origin), request, leftMs);
  }
  const { status, retryAfter, excerpt, isCut, firstByteMs, failure, dialed } = sent;
  const durationMs = Math.round(performance.now() - start);
  const { dnsMs, connectMs, tlsMs } = dialed ?? noLatency;

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
    latency: { dnsMs, connectMs, tlsMs, firstByteMs },
    status,
    error: errorOf(status, failure),
    retryAfter,
    excerpt,
    isCut,
  };
}

/**
 * Sends a request over a connection, and gives that back. `isLost`: the connection was a kept one and broke before
 * anything of an answer came, as when the receiver closes what has been idle at that very moment (RFC 9112, 9.3.1).
 */
async function send(connection: Connection, request: OutgoingRequest, timeoutMs: number) {
  const {
    hasBegun,
    isWhole: hasEnded,
    error: told,
    ...answer
  } = await exchange(connection.client, request, timeoutMs);
  const { isKept, fault } = connection;
  // An answer without a length is whole when its connection is closed, not when that breaks (RFC 9112, 8).
  const isWhole = hasEnded && !fault;
  const error = told ?? (hasEnded && fault ? fault : null);
  const dialed = error instanceof ConnectFailure ? error.parts : connection.dialed;
  connection.release(isWhole);
  const failure = error && attemptErrorOf(error);
  const isLost = isKept && !hasBegun && failure === 'reset';
  return { ...answer, failure, dialed, isCut: !isWhole, isLost };
}

/** Of an answer with 2xx, and of none, how it failed decides; of any other its status, which is known before its body. */
function errorOf(status: number | null, failure: AttemptError | null): AttemptError | null {
  if (status === null || (status >= 200 && status < 300)) return failure;
  return `http_${status}`;
}
