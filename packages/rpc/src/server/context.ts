import type { Grant } from '@parley/contracts/common/v1/grant';
import type { CallerName } from '@parley/contracts/method-access';

/** The types of errors with which a service refuses a caller. Callers never pass them on. */
export const refusalTypes: readonly string[] = ['unauthenticated', 'caller-not-allowed', 'no-grant'];

/** The caller by its credential: a service, `cli` for the operator, or `unknown` for a wrong credential. */
export type Caller = CallerName | 'unknown';

export interface CallContext {
  requestId: string;
  /** Never `unknown`. Undefined if the caller has no credential and the method needs none. */
  caller: Caller | undefined;
  /** What the gateway has proved, if the method needs a grant. Of another service: what it forwards, if anything. */
  grant?: Grant | undefined;
  /** The verified grant as text, with the client's address behind it. */
  grantText?: string | undefined;
  /** The address of the gateway's client, if the call has a grant. The gateway states it. */
  clientAddress?: string | undefined;
  /** Aborts when the caller cancels or disconnects, or the deadline passes. */
  signal: AbortSignal;
}

/**
 * Returns the options of a call to another service that a handler makes for its own call. With the same grant, the
 * other service knows whose call it is.
 */
export function onBehalfOf({ requestId, grantText: grant }: CallContext) {
  return { requestId, grant };
}

/** The bearer tokens that a server accepts (RFC 6750). It reads them at each check, so that they can change. */
export interface RpcTokens {
  /**
   * One or more, separated by commas: this process sends the first. Without `callers` it accepts all of them, and each
   * service states its name.
   */
  service: string;
  /** The token of the operator, whose name is `cli`, if `callers` does not have it. */
  operator?: string | undefined;
  /** The callers by the SHA-256 (hex) of their tokens. No other token of a service is accepted. */
  callers?: ReadonlyMap<string, CallerName> | undefined;
}
