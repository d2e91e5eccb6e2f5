import type { CallContext } from './context.ts';

/** One method of a generated service definition. The codec is method-typed so that any message fits. */
export interface MethodDefinition<Request, Response> {
  path: string;
  requestStream: false;
  responseStream: false;
  requestSerialize(value: Request): Buffer;
  requestDeserialize(bytes: Buffer): Request;
  responseSerialize(value: Response): Buffer;
  responseDeserialize(bytes: Buffer): Response;
}

// A definition's messages are only known at its use: `never` in, `unknown` out accepts every one of them.
export type ServiceDefinition = Record<string, MethodDefinition<never, unknown>>;

type RequestOf<M> = M extends { requestDeserialize(bytes: Buffer): infer Request } ? Request : never;
type ResponseOf<M> = M extends { responseDeserialize(bytes: Buffer): infer Response } ? Response : never;

/** What a service must implement: one function per method; a missing or mistyped one does not compile. */
export type Handlers<D> = {
  [Method in keyof D]: (request: RequestOf<D[Method]>, context: CallContext) => Promise<ResponseOf<D[Method]>>;
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
  [Method in keyof D]: (request: RequestOf<D[Method]>, options: CallOptions) => Promise<ResponseOf<D[Method]>>;
};
