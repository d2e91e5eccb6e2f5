import type { ClientStream } from './client-stream.ts';
import type { Expiring } from './deadlines.ts';
import type { Outgoing } from './sender.ts';

/** A call of ours until it is settled. Once it is sent, a handler may have seen it. */
export interface ClientCall extends Outgoing, Expiring {
  id: number;
  /** Where it has gone. */
  stream: ClientStream | undefined;
  path: string;
  deserialize(answer: Buffer): unknown;
  resolve(response: unknown): void;
  reject(error: Error): void;
  signal: AbortSignal | undefined;
  /** Listens to the signal. */
  aborted: (() => void) | undefined;
}

/** What becomes of a call that has been sent somewhere: one of these. */
export interface CallEvents {
  answered(call: ClientCall, body: Buffer): void;
  failed(call: ClientCall, body: Buffer): void;
  /** No handler has seen it, nor will. */
  undelivered(call: ClientCall): void;
  /** Nobody knows whether a handler has seen it. */
  lost(call: ClientCall, cause: Error): void;
}
