import { errors } from 'undici';

/**
 * Why an attempt failed. `http_<status>`: the receiver answered, but not with 2xx, if only the header came. `protocol`: what came was no HTTP/1.1,
 * or too much before an answer. `blocked_address`: we do not go there, and the rest of the result says nothing.
 */
export type AttemptError =
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'timeout_connect'
  | 'timeout_total'
  | 'protocol'
  | 'blocked_address'
  | `http_${number}`;

/** A failure of an attempt that we have found ourselves. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';
  readonly error: AttemptError;

  constructor(error: AttemptError, cause?: unknown) {
    super(error, { cause });
    this.error = error;
  }
}

/**
 * A fault on our side of the Internet, such as an egress proxy that is away. No receiver is to be charged for it, and none
 * can bring it about: it concerns all deliveries.
 */
export class OwnFault extends Error {
  override readonly name = 'OwnFault';
}

const classes: Record<string, AttemptError> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  // Also what a machine without IPv6 says of an address of it, which may be all that a receiver has.
  EADDRNOTAVAIL: 'refused',
  // What a firewall of the machine says.
  EACCES: 'refused',
  EPERM: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  // The answer ended before its length.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  ETIMEDOUT: 'timeout_connect',
  EPROTO: 'tls',
};

/** No file descriptor or memory was left. */
const ownCodes = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

// OpenSSL's own codes and those of Node's certificate checks (node:tls, X509 error codes).
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** How long the steps of connecting took, in milliseconds; null for a step that was not completed. */
export interface ConnectParts {
  dnsMs: number | null;
  /** TCP; through a proxy, until it has connected. */
  connectMs: number | null;
  tlsMs: number | null;
}

/** Of a kept connection: nothing was connected. */
export const noParts: Readonly<ConnectParts> = { dnsMs: null, connectMs: null, tlsMs: null };

/** The class of an error of a connection or exchange. Throws `OwnFault` for what is no receiver's. */
export function attemptErrorOf(error: Error): AttemptError {
  if (error instanceof AttemptFailure) return error.error;
  if (error instanceof OwnFault) throw error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (ownCodes.has(code)) throw new OwnFault('the machine is out of something', { cause: error });
  if (tlsCodes.test(code)) return 'tls';
  if (error instanceof errors.HTTPParserError) return isCutOff(error) ? 'reset' : 'protocol';
  return isUnasked(error) ? 'protocol' : (classes[code] ?? 'protocol');
}

/** Whether the answer ended before its last chunk. */
function isCutOff(error: Error): boolean {
  return error.message.includes('(Invalid EOF state)');
}

/** Whether undici has cut the connection because of an answer that was not asked for: 100, 101, or one without a request. */
function isUnasked(error: Error): boolean {
  return error instanceof errors.SocketError && /^bad (?:response|upgrade)$/.test(error.message);
}
