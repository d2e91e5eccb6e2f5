import type { Agent } from 'undici';
import type { AttemptError } from './attempt-error.ts';
import { createConnectionPool } from './connections.ts';
import type { DialOptions } from './dial.ts';
import { Exchange, type Latency, noLatency } from './exchange.ts';
import type { OutgoingRequest } from './request.ts';
import { connectToProxy } from './tunnel.ts';

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

/**
 * Opens the client. How many attempts are under way is up to the caller. Redirects are never followed.
 * Disposing of it ends what is under way.
 */
export function openSender(options: SenderOptions): Sender {
  const pool = createConnectionPool(options);
  const { egressProxy, connectTimeoutMs, totalTimeoutMs } = options;
  let isClosed = false;
  return {
    post: async (request) => {
      if (isClosed || performance.now() >= request.sendBefore()) return undefined;
      try {
        const result = await attempt(pool, request, totalTimeoutMs);
        if (egressProxy && result?.status === null && cutOff.has(result.error)) {
          const socket = await connectToProxy(egressProxy, AbortSignal.timeout(connectTimeoutMs));
          socket.destroy();
        }
        return isClosed && result?.error !== null ? undefined : result;
      } catch (error) {
        if (isClosed) return undefined;
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await pool.destroy();
    },
  };
}

async function attempt(
  pool: Agent,
  request: OutgoingRequest,
  timeoutMs: number,
): Promise<AttemptResult | undefined> {
  const startedAt = new Date();
  const start = performance.now();
  let exchange = new Exchange(request, timeoutMs, false);
  await exchange.post(pool);
  if (exchange.isLost) {
    const resent = new Exchange(request, timeoutMs - (performance.now() - start), true);
    await resent.post(pool);
    if (!resent.isLate) exchange = resent;
  }
  if (exchange.isLate) return undefined;
  const { status, failure, latency, retryAfter, chunks, isWhole } = exchange;
  // What was found out before we turned round would tell of our network, or help to look for it.
  const isBlocked = failure === 'blocked_address';
  return {
    startedAt,
    durationMs: isBlocked ? 0 : Math.round(performance.now() - start),
    latency: isBlocked ? noLatency : latency,
    status,
    // Of an answer with 2xx, and of none, how it failed decides; of any other its status.
    error: status === null || (status >= 200 && status < 300) ? failure : `http_${status}`,
    retryAfter,
    excerpt: Buffer.concat(chunks),
    isCut: !isWhole && !isBlocked,
  };
}
