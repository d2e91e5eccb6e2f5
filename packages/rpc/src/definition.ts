import type { CallContext } from './context.ts';

/** One unary method of a generated service definition, whatever its messages are. */
export interface MethodDefinition {
  path: string;
  requestStream: false;
  responseStream: false;
  requestSerialize(value: never): Buffer;
  requestDeserialize(bytes: Buffer): unknown;
  responseSerialize(value: never): Buffer;
  responseDeserialize(bytes: Buffer): unknown;
}

/** A service as ts-proto generates it: its methods by name. */
export type ServiceDefinition = Record<string, MethodDefinition>;

type RequestOf<M> = M extends { requestDeserialize(bytes: Buffer): infer Request } ? Request : never;
type ResponseOf<M> = M extends { responseDeserialize(bytes: Buffer): infer Response } ? Response : never;

/** What a service must implement: one function per method; a missing or mistyped one does not compile. */
export type Handlers<D> = {
  [Method in keyof D]: (
    request: RequestOf<D[Method]>,
    context: CallContext,
  ) => Promise<ResponseOf<D[Method]>>;
};

/** How a call is made: whose request it belongs to and how long it may take. */
export interface CallOptions {
  requestId: string;
  /** Milliseconds from now; the client's default when absent. */
  timeoutMs?: number;
  /** Aborting it gives the call up. */
  signal?: AbortSignal;
}

/** A remote service as an object of async functions. They throw AppError. */
export type RpcClient<D> = {
  [Method in keyof D]: (
    request: RequestOf<D[Method]>,
    options: CallOptions,
  ) => Promise<ResponseOf<D[Method]>>;
};
