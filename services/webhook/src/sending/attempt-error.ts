/**
 * Why an attempt failed. `http_<status>`: the receiver answered with a status other than 2xx, even if the body did not
 * arrive.
 * `tls_untrusted`, `tls_expired`, `tls_name`: the receiver's certificate, by its issuer, its dates or its names.
 * `tls_protocol`: no common version or cipher, a demand for a certificate of the client, or no TLS at all.
 * `protocol`: not HTTP/1.1, or too much data before an answer. `blocked_address`: the address is not allowed, and the
 * rest of the result has no information.
 */
export type AttemptError =
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls_untrusted'
  | 'tls_expired'
  | 'tls_name'
  | 'tls_protocol'
  | 'timeout_connect'
  | 'timeout_total'
  | 'protocol'
  | 'blocked_address'
  | `http_${number}`;

export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';
  readonly error: AttemptError;

  constructor(error: AttemptError, cause?: unknown) {
    super(error, { cause });
    this.error = error;
  }
}

/**
 * A fault on our side, such as an egress proxy that is unavailable. It affects all deliveries and counts as no
 * attempt. No receiver can cause it.
 */
export class OwnFault extends Error {
  override readonly name = 'OwnFault';
}

/** The codes for a lack of file descriptors or memory. */
const ownCodes = /^(EMFILE|ENFILE|ENOBUFS|ENOMEM) /;

const classes: readonly [AttemptError, RegExp][] = [
  // EADDRNOTAVAIL: the receiver has only an IPv6 address, and the machine has none. EACCES and EPERM: a firewall.
  ['refused', /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM) /],
  // undici closes the connection at 100, 101 and a response without a request: "bad response" and "bad upgrade".
  ['reset', /^(ECONNRESET|EPIPE|UND_ERR_SOCKET) (?!bad )/],
  // The response ended before its length, or before its last chunk.
  ['reset', /^UND_ERR_RES_CONTENT_LENGTH_MISMATCH |\(Invalid EOF state\)/],
  ['timeout_connect', /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT) /],
  // OpenSSL's own codes and the codes of Node's certificate checks (node:tls, X509 error codes).
  ['tls_expired', /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID) /],
  ['tls_name', /^(ERR_TLS_CERT_ALTNAME_|HOSTNAME_MISMATCH)/],
  [
    'tls_untrusted',
    /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/,
  ],
  ['tls_protocol', /^(EPROTO |ERR_TLS_|ERR_SSL_)/],
];

/** Returns the class of an error of a connection or exchange. Throws `OwnFault` for faults on our side. */
export function attemptErrorOf(error: Error): AttemptError {
  if (error instanceof AttemptFailure) return error.error;
  if (error instanceof OwnFault) throw error;
  const text = `${'code' in error ? String(error.code) : ''} ${error.message}`;
  if (ownCodes.test(text))
    throw new OwnFault('the machine lacks file descriptors or memory', { cause: error });
  return classes.find(([, form]) => form.test(text))?.[0] ?? 'protocol';
}
