/** Who calls: another service of ours, or the operator with the admin credential. */
export type Caller = 'service' | 'operator';

/** What a handler knows of its call besides the request. */
export interface CallContext {
  requestId: string;
  /** Undefined only where no credential is asked for. */
  caller: Caller | undefined;
  /** Aborted when the caller has gone or its deadline has passed. */
  signal: AbortSignal;
}

/** Credentials of calls between processes, as bearer tokens (RFC 6750). */
export interface RpcTokens {
  service: string;
  operator: string;
}
