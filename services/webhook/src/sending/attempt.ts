import type { Agent } from 'undici';
import type { AttemptError } from './attempt-error.ts';
import { createConnectionPool } from './connections.ts';
import type { DialOptions } from './dial.ts';
import { Exchange } from './exchange.ts';
import { type Latency, noLatency } from './latency.ts';
import type { OutgoingRequest } from './rules/request.ts';
import { connectToProxy } from './tunnel.ts';

/** The result of one HTTP try. A failure is a value, since receivers fail often. */
export interface AttemptResult {
  startedAt: Date;
  durationMs: number;
  latency: Latency;
  /** Null if no status line came. */
  status: number | null;
  /**
   * Null for success: a 2xx answer that came in time, complete or up to the size limit. Any other status is the
   * error, whatever happens to the rest of the answer.
   */
  error: AttemptError | null;
  /** Null without the header field. */
  retryAfter: string | null;
  /** The first bytes of the answer's body, at most 16 KiB. */
  excerpt: Buffer;
  /** Whether the answer broke off or is longer than the excerpt. */
  isCut: boolean;
}

/** The shared HTTP client of a process. */
export interface Sender extends AsyncDisposable {
  /**
   * Makes one attempt. Sends the request again if the receiver closed a reused connection before it answered.
   * Resolves to undefined if `sendBefore` passed before the first byte, or the sender was closed before the result.
   * Rejects with `OwnFault` for a fault on our side.
   */
  post(request: OutgoingRequest): Promise<AttemptResult | undefined>;
}

export interface SenderOptions extends DialOptions {
  /** From the start of an attempt to the last byte that is read. */
  totalTimeoutMs: number;
}

/** The errors that an unavailable proxy can cause. After one, the proxy is probed. */
const proxyErrors: ReadonlySet<AttemptError | null> = new Set(['reset', 'timeout_connect', 'timeout_total']);

/**
 * Opens the client. It does not limit the number of attempts. It follows no redirects. Disposing aborts the attempts in
 * flight.
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
        if (egressProxy && result?.status === null && proxyErrors.has(result.error)) {
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
  // Times and excerpts of a blocked address would disclose our network.
  const isBlocked = failure === 'blocked_address';
  return {
    startedAt,
    durationMs: isBlocked ? 0 : Math.round(performance.now() - start),
    latency: isBlocked ? noLatency : latency,
    status,
    // A status other than 2xx is the error. Otherwise the failure is.
    error: status === null || (status >= 200 && status < 300) ? failure : `http_${status}`,
    retryAfter,
    excerpt: Buffer.concat(chunks),
    isCut: !isWhole && !isBlocked,
  };
}
