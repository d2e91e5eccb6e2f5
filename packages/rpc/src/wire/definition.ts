import type { CallContext } from '../server/context.ts';

/** One unary method of a generated service definition, with messages of any type. */
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

/** The functions that a service must implement, one per method. */
export type Handlers<D> = {
  [Method in keyof D]: (
    request: RequestOf<D[Method]>,
    context: CallContext,
  ) => Promise<ResponseOf<D[Method]>>;
};

export interface CallOptions {
  /** The id of the client's request that the call belongs to. */
  requestId: string;
  /**
   * What identity has signed about the credential that the call is made for. Gateways need it for most methods. Other
   * services forward the grant of the call that they answer, where the peer records who did it.
   */
  grant?: string | undefined;
  /** The deadline in milliseconds from now. Default: the peer's `timeoutMs`. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** A remote service as an object of async functions. They reject with AppError. */
export type RpcClient<D> = {
  [Method in keyof D]: (
    request: RequestOf<D[Method]>,
    options: CallOptions,
  ) => Promise<ResponseOf<D[Method]>>;
};
