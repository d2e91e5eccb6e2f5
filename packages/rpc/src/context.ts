/** The caller by its credential: a service, the operator, or `unknown` for a wrong credential. */
export type Caller = 'service' | 'operator' | 'unknown';

/** What a handler gets besides the request. */
export interface CallContext {
  requestId: string;
  /** Never `unknown`. Undefined if the caller has no credential and the method needs none. */
  caller: Caller | undefined;
  /** Aborts when the caller cancels or disconnects, or the deadline passes. */
  signal: AbortSignal;
}

/** The bearer tokens that a server accepts (RFC 6750). It reads them at each check, so that they can change. */
export interface RpcTokens {
  /** One or more, separated by commas. */
  service: string;
  operator: string;
}
