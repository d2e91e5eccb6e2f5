import type { Expiring } from '../wire/deadlines.ts';
import type { MethodDefinition } from '../wire/definition.ts';
import type { Outgoing } from '../wire/sender.ts';

/** A call of this process until it is settled. Once it is sent, a handler may have seen it. */
export interface ClientCall extends Outgoing, Expiring {
  id: number;
  stream: { cancel(call: ClientCall): void } | undefined;
  method: MethodDefinition;
  resolve(response: unknown): void;
  reject(error: Error): void;
  signal: AbortSignal | undefined;
  /** The listener on `signal`. */
  onAbort: (() => void) | undefined;
  /** Whether it is for one endpoint. It is lost if that endpoint does not answer it. */
  isPinned: boolean;
  /** True once it was taken from a silent peer: a handler may still run it there. */
  isRedirected: boolean;
}

/** The outcomes of a call on a stream. Each call has one of them. */
export interface CallEvents {
  answered(call: ClientCall, body: Buffer): void;
  failed(call: ClientCall, body: Buffer): void;
  /** The call may be sent to another endpoint: no handler has seen it and none will, or it is idempotent. */
  undelivered(call: ClientCall): void;
  /** A handler may have seen the call. */
  lost(call: ClientCall, cause: Error): void;
}
