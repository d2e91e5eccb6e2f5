import { type sendUnaryData, Server, ServerCredentials, type ServerUnaryCall } from '@grpc/grpc-js';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { methodAccess } from '@parley/contracts/method-access';
import { toAppError } from '@parley/runtime/errors';
import { inSpan } from '@parley/runtime/telemetry/telemetry';
import { callerFault } from '../src/server/answer.ts';
import { callerOf } from '../src/trust/callers.ts';
import { toStatus } from '../src/wire/status.ts';
import { type Rpc, tokens } from './peers.ts';
import { channelOptions, connectPlain } from './plain-connect.ts';

// The contract with only unary calls of grpc-js: the way out that README.md describes.

const identify = callerOf(tokens);

type Handle = (request: unknown, context: object) => Promise<unknown>;

/** Each call is an HTTP/2 stream. An error travels in the trailer `grpc-status-details-bin`. */
export const plainRpc: Rpc = {
  serve: async (handlers, { port = 0 } = {}) => {
    const server = new Server(channelOptions);
    const methods = Object.entries(handlers).map(([name, handle]) => [
      name,
      (call: ServerUnaryCall<unknown, unknown>, reply: sendUnaryData<unknown>): void => {
        answer(call, handle as Handle).then(
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

  connect: connectPlain,
};

function answer(call: ServerUnaryCall<unknown, unknown>, handle: Handle): Promise<unknown> {
  const text = (name: string): string => String(call.metadata.get(name)[0] ?? '');
  const controller = new AbortController();
  call.once('cancelled', () => controller.abort());
  return inSpan('call', { parent: text('traceparent') }, async () => {
    const caller = identify(call);
    const error = callerFault(methodAccess.get(call.getPath())?.callers ?? [], caller);
    if (error) throw error;
    const context = { requestId: text('x-request-id'), caller, signal: controller.signal };
    return handle(call.request, context);
  });
}
