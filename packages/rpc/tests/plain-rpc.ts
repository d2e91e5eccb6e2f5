import {
  Client,
  credentials,
  Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { BadRequest, ErrorInfo, RetryInfo } from '@parley/contracts/error-details';
import { Status } from '@parley/contracts/status';
import type { CallOptions, MethodDefinition, RpcClient, ServiceDefinition } from '@parley/rpc/definition';
import { AppError, deadlineExceeded, type ErrorCode, toAppError, unavailable } from '@parley/runtime/errors';
import { currentTraceparent, inSpan } from '@parley/runtime/telemetry';
import { toStatus } from '../src/status.ts';
import { type Rpc, tokens } from './peers.ts';

// The contract with only unary calls of grpc-js: the way out that README.md describes.

type Handle = (request: unknown, context: object) => Promise<unknown>;

const messageBytesMax = 64 * 1024 * 1024;
const channelOptions = {
  'grpc.max_receive_message_length': messageBytesMax,
  'grpc.max_send_message_length': messageBytesMax,
  'grpc.enable_retries': 0,
  'grpc.max_reconnect_backoff_ms': 100,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/** Each call is an HTTP/2 stream. An error travels in the trailer `grpc-status-details-bin`. */
export const plainRpc: Rpc = {
  serve: async (handlers, { port = 0, callers = ['service', 'operator'] } = {}) => {
    const server = new Server(channelOptions);
    const methods = Object.entries(handlers).map(([name, handle]) => [
      name,
      (call: ServerUnaryCall<unknown, unknown>, reply: sendUnaryData<unknown>): void => {
        answer(call, handle as Handle, callers).then(
          (response) => reply(null, response),
          (error: unknown) => reply(toStatus(toAppError(error))),
        );
      },
    ]);
    server.addService(CustomerServiceService, Object.fromEntries(methods));
    const { promise: bound, resolve } = Promise.withResolvers<number>();
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (_, at) => resolve(at));
    return {
      address: `127.0.0.1:${await bound}`,
      [Symbol.asyncDispose]: () => new Promise((resolve) => server.tryShutdown(() => resolve())),
    };
  },

  connect: (address, { token, timeoutMs = 5_000 }) => {
    const client = new Client(address, credentials.createInsecure(), channelOptions);
    const closed = new AbortController();
    const call = (method: MethodDefinition, request: never, options: CallOptions): Promise<unknown> => {
      const signal = AbortSignal.any([closed.signal, ...(options.signal ? [options.signal] : [])]);
      return callUnary(client, token, method, request, { timeoutMs, ...options, signal });
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
  },
};

function answer(
  call: ServerUnaryCall<unknown, unknown>,
  handle: Handle,
  callers: readonly string[],
): Promise<unknown> {
  const text = (name: string): string => String(call.metadata.get(name)[0] ?? '');
  const controller = new AbortController();
  call.once('cancelled', () => controller.abort());
  return inSpan('call', { parent: text('traceparent') }, async () => {
    const known = Object.entries(tokens).find(([, token]) => text('authorization') === `Bearer ${token}`);
    if (!known) throw new AppError('unauthenticated', 'unauthenticated', 'No valid credential');
    const [caller] = known;
    if (!callers.includes(caller)) throw new AppError('permission_denied', 'operator-only', 'Operator only');
    const context = { requestId: text('x-request-id'), caller, signal: controller.signal };
    return handle(call.request, context);
  });
}

function callUnary(
  client: Client,
  token: string,
  { path, requestSerialize, responseDeserialize }: MethodDefinition,
  request: never,
  { requestId, timeoutMs = 0, signal }: CallOptions,
): Promise<unknown> {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
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
