import { Client, credentials, type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { CallerName } from '@parley/contracts/method-access';
import { BadRequest, ErrorInfo, RetryInfo } from '@parley/contracts/error-details';
import { Status } from '@parley/contracts/status';
import type { Peer } from '@parley/rpc/connect';
import type { CallOptions, MethodDefinition, RpcClient, ServiceDefinition } from '@parley/rpc/definition';
import { AppError, deadlineExceeded, type ErrorCode, toAppError, unavailable } from '@parley/runtime/errors';
import { callerMetadata } from '../src/trust/callers.ts';
import { currentTraceparent } from '@parley/runtime/telemetry/telemetry';

const messageBytesMax = 64 * 1024 * 1024;

export const channelOptions = {
  'grpc.max_receive_message_length': messageBytesMax,
  'grpc.max_send_message_length': messageBytesMax,
  'grpc.enable_retries': 0,
  'grpc.max_reconnect_backoff_ms': 100,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/** Connects to a peer. Each call is a unary call of grpc-js. */
export function connectPlain(
  address: string,
  { token, caller, timeoutMs = 5_000 }: { token: string; caller?: CallerName; timeoutMs?: number },
): Omit<Peer, 'isServing' | 'replicaStates'> {
  const client = new Client(address, credentials.createInsecure(), channelOptions);
  const closed = new AbortController();
  const call = (method: MethodDefinition, request: never, options: CallOptions): Promise<unknown> => {
    const signal = AbortSignal.any([closed.signal, ...(options.signal ? [options.signal] : [])]);
    return callUnary(client, callerMetadata(token, caller), method, request, {
      timeoutMs,
      ...options,
      signal,
    });
  };
  return {
    client: <const D extends ServiceDefinition>(definition: D): RpcClient<D> => {
      const methods = Object.entries<MethodDefinition>(definition).map(([name, method]) => [
        name,
        (request: never, options: CallOptions) => call(method, request, options),
      ]);
      return Object.fromEntries(methods) as RpcClient<D>;
    },
    [Symbol.dispose]: () => {
      closed.abort();
      client.close();
    },
  };
}

function callUnary(
  client: Client,
  metadata: Metadata,
  { path, requestSerialize, responseDeserialize }: MethodDefinition,
  request: never,
  { requestId, timeoutMs = 0, signal }: CallOptions,
): Promise<unknown> {
  metadata.set('x-request-id', requestId);
  metadata.set('traceparent', currentTraceparent() ?? '');
  const options = { deadline: Date.now() + timeoutMs };
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(unavailable(signal.reason));
    const end = (error: ServiceError | null, response?: unknown): void => {
      signal?.removeEventListener('abort', cancel);
      if (error) reject(fromStatus(error));
      else resolve(response);
    };
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      metadata,
      options,
      end,
    );
    const cancel = (): void => call.cancel();
    signal?.addEventListener('abort', cancel);
  });
}

function fromStatus(error: ServiceError): AppError {
  const [bytes] = error.metadata.get('grpc-status-details-bin');
  if (bytes) {
    const { message, details } = Status.decode(Buffer.from(bytes as Buffer));
    const packed = (name: string) =>
      details.find(({ typeUrl }) => typeUrl === `type.googleapis.com/google.rpc.${name}`)?.value;
    const info = packed('ErrorInfo');
    const { code = '', type = '' } = info ? ErrorInfo.decode(info).metadata : {};
    const retry = packed('RetryInfo');
    const request = packed('BadRequest');
    return new AppError(code as ErrorCode, type, message, {
      retryAfterSeconds: retry && RetryInfo.decode(retry).retryDelay?.seconds,
      faults:
        request &&
        BadRequest.decode(request).fieldViolations.map(({ field, description }) => ({
          pointer: field,
          detail: description,
        })),
      cause: error,
    });
  }
  if (error.code === status.DEADLINE_EXCEEDED) return deadlineExceeded(error);
  const isUnavailable = error.code === status.UNAVAILABLE || error.code === status.CANCELLED;
  return isUnavailable ? unavailable(error) : toAppError(error);
}
