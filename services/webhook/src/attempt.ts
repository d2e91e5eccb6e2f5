import { Agent, type Dispatcher, errors } from 'undici';
import { blockedCode, publicLookup } from './public-lookup.ts';
import type { OutgoingRequest } from './request.ts';

/** Why an attempt failed. `http_<status>`: the receiver answered, but not with 2xx. */
export type AttemptError =
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'timeout_connect'
  | 'timeout_total'
  | 'protocol'
  | 'blocked_address'
  | 'network'
  | `http_${number}`;

/** How one HTTP try went. A failure is a value: receivers fail all the time. */
export interface AttemptResult {
  startedAt: Date;
  durationMs: number;
  /** Null when no status line came. */
  status: number | null;
  /** Null for success: an answer with 2xx that came whole, or as far as it is read, in time. */
  error: AttemptError | null;
  /** The first bytes of the answer's body, at most 16 KiB. */
  excerpt: Buffer;
}

/** The shared HTTP client of a process. */
export interface Sender extends AsyncDisposable {
  /** Never rejects. Undefined when the sender was closed before the outcome was known. */
  post(request: OutgoingRequest): Promise<AttemptResult | undefined>;
}

interface SenderOptions {
  connectTimeoutMs: number;
  /** Of an attempt from its start to the last byte of the answer that is read. */
  totalTimeoutMs: number;
  /** Whether a name may lead to an address that is not public. */
  allowsPrivate: boolean;
}

const excerptBytesMax = 16 * 1024;

/**
 * Opens the client: connections are kept per origin and used one request at a time; there is no limit per origin, so
 * that no attempt waits behind another, since the caller limits how many are under way. Redirects are never followed.
 * Disposing of it ends what is under way.
 */
export function openSender({ connectTimeoutMs, totalTimeoutMs, allowsPrivate }: SenderOptions): Sender {
  const agent = new Agent({
    allowH2: false,
    connect: { timeout: connectTimeoutMs, ...(!allowsPrivate && { lookup: publicLookup }) },
    // One timer per attempt covers headers and body together.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    post: (request) => post(agent, request, totalTimeoutMs),
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

function post(
  agent: Agent,
  request: OutgoingRequest,
  totalTimeoutMs: number,
): Promise<AttemptResult | undefined> {
  return new Promise((resolve) => {
    const startedAt = new Date();
    const start = performance.now();
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status: number | null = null;
    let controller: Dispatcher.DispatchController | undefined;
    let hasEnded = false;

    const end = (error: AttemptError | 'closed' | null): void => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      const durationMs = Math.round(performance.now() - start);
      resolve(
        error === 'closed'
          ? undefined
          : { startedAt, durationMs, status, error, excerpt: Buffer.concat(chunks) },
      );
    };
    const endByStatus = (): void =>
      end(status && status >= 200 && status < 300 ? null : `http_${status ?? 0}`);
    const timer = setTimeout(() => {
      end('timeout_total');
      controller?.abort(new errors.RequestAbortedError());
    }, totalTimeoutMs);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        if (hasEnded) started.abort(new errors.RequestAbortedError());
      },
      onResponseStart: (_controller, code) => {
        if (code >= 200) status = code;
      },
      onResponseData: (receiving, chunk) => {
        const room = excerptBytesMax - bytes;
        chunks.push(chunk.subarray(0, room));
        bytes += Math.min(chunk.length, room);
        if (chunk.length <= room) return;
        endByStatus();
        receiving.abort(new errors.RequestAbortedError());
      },
      onResponseEnd: endByStatus,
      onResponseError: (_controller, error) => end(classify(error)),
    };
    const { origin, path, headers, body } = request;
    agent.dispatch({ origin, path, method: 'POST', headers, body }, handler);
  });
}

const classes: Record<string, AttemptError | 'closed'> = {
  [blockedCode]: 'blocked_address',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout_connect',
  UND_ERR_CONNECT_TIMEOUT: 'timeout_connect',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  UND_ERR_DESTROYED: 'closed',
  UND_ERR_CLOSED: 'closed',
};

// OpenSSL's own codes and those of Node's certificate checks (node:tls, X509 error codes).
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/;

function classify(error: Error): AttemptError | 'closed' {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (tlsCodes.test(code)) return 'tls';
  if (error instanceof errors.HTTPParserError) return 'protocol';
  return classes[code] ?? 'network';
}
