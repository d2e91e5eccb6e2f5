import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Metadata,
  type MethodDefinition as GrpcMethodDefinition,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServiceDefinition as GrpcServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { addressText, type ListenAddress } from '@parley/runtime/config';
import type { AppError } from '@parley/runtime/errors';
import { equalBytes } from '@parley/runtime/keyring';
import type { Logger } from '@parley/runtime/logger';
import type { Running } from '@parley/runtime/run';
import { answer, type ServedMethod } from './answer.ts';
import { AbortableContext, type Caller, type RpcTokens } from './context.ts';
import { startDeadlines } from './deadlines.ts';
import type { Handlers, MethodDefinition, ServiceDefinition } from './definition.ts';
import { streamPath } from './frame.ts';
import { healthHandlers, HealthService } from './health.ts';
import { countInFlight, type InFlight } from './in-flight.ts';
import { grpcMessageBytesMax, messageBytesMax } from './limits.ts';
import { serveStream, type ServerCall, type ServerStream } from './server-stream.ts';
import { toStatus } from './status.ts';

/** A definition with its handlers. */
export interface Service {
  definition: GrpcServiceDefinition;
  methods: Record<string, ServedMethod>;
}

/**
 * Pairs a generated definition with handlers, which get only requests that follow the rules (`checkRequest`).
 * `callers`: services and the operator, unless said otherwise.
 */
export function service<const D extends ServiceDefinition & GrpcServiceDefinition>(
  definition: D,
  handlers: Handlers<D>,
  { callers = ['service', 'operator'], rules = {} }: Partial<Pick<ServedMethod, 'callers' | 'rules'>> = {},
): Service {
  const methods: Service['methods'] = {};
  for (const [name, method] of Object.entries<MethodDefinition>(definition)) {
    const handle: ServedMethod['handle'] = handlers[name as keyof D];
    methods[name] = { ...method, handle, callers, rules };
  }
  return { definition, methods };
}

interface ServeOptions {
  listen: ListenAddress;
  services: Service[];
  tokens: RpcTokens;
  logger: Logger;
  /** Whether the process can do its work now; asked by `grpc.health.v1`. */
  isReady: () => Promise<boolean>;
}

/**
 * Serves over gRPC, with `grpc.health.v1` beside: by the stream of `connect`, and as plain unary methods for probes and
 * tools. Disposing of it refuses new calls, health checks too, in a way that callers take to another copy, waits for
 * those in flight, and then closes the connections.
 * A call needs a bearer token of `tokens`: UNAUTHENTICATED without or with another, PERMISSION_DENIED for the one that the
 * method does not take. A health check needs none, but must not bear another: who checks learns whether its calls would be
 * taken.
 */
export async function serve(options: ServeOptions): Promise<Running> {
  const { logger } = options;
  const server = new Server({
    // It is read before the handler can tell who sends it.
    'grpc.max_receive_message_length': grpcMessageBytesMax,
    'grpc.max_send_message_length': messageBytesMax,
    // A client that is gone without a word keeps its stream otherwise.
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
  const identify = callerOf(options.tokens);
  const inFlight = countInFlight();
  const methods = new Map<string, ServedMethod>();
  const health = service(HealthService, healthHandlers(options.isReady), { callers: 'anyone' });
  for (const { definition, methods: own } of [...options.services, health]) {
    const implementation: UntypedServiceImplementation = {};
    for (const [name, method] of Object.entries(own)) {
      methods.set(method.path, method);
      implementation[name] = unary(method, identify, inFlight, logger);
    }
    server.addService(unread(definition), implementation);
  }

  const streams = new Set<ServerStream>();
  const deadlines = startDeadlines<ServerCall>((call) => call.abort());
  server.addService(
    { exchange: streamDefinition },
    {
      exchange: (stream: ServerDuplexStream<Buffer, Buffer>) => {
        if (inFlight.isDraining()) return void stream.emit('error', stopping);
        const caller = identify(stream.metadata);
        const served = serveStream(stream, caller, { methods, inFlight, deadlines, logger });
        streams.add(served);
        stream.once('close', () => streams.delete(served));
      },
    },
  );

  const { listen } = options;
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(addressText(listen), ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    address: addressText({ ...listen, port }),
    [Symbol.asyncDispose]: async () => {
      const force = setTimeout(() => server.forceShutdown(), drainMsMax);
      // Connections are closed when no call needs them: grpc-js drops the calls of a connection that is being closed
      // when a keepalive ping falls due (grpc-node, issue 3068).
      const drained = [inFlight.drain(), ...[...streams].map((stream) => stream.stop())];
      await Promise.race([Promise.all(drained), delay(drainMsMax, undefined, { ref: false })]);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(force);
      deadlines[Symbol.dispose]();
    },
  };
}

const drainMsMax = 5_000;
const stopping = Object.assign(new Error(), { code: status.UNAVAILABLE, details: 'The process is stopping' });

const same = (bytes: Buffer): Buffer => bytes;
const streamDefinition: GrpcMethodDefinition<Buffer, Buffer> = {
  path: streamPath,
  requestStream: true,
  responseStream: true,
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
};

/** Its requests as bytes: what they cannot be read as is answered like other faults of a request. */
function unread(definition: GrpcServiceDefinition): GrpcServiceDefinition {
  const entries = Object.entries(definition).map(([name, method]) => [
    name,
    { ...method, requestDeserialize: same },
  ]);
  return Object.fromEntries(entries) as GrpcServiceDefinition;
}

/** The method for those who call it by itself. */
function unary(
  method: ServedMethod,
  identify: (metadata: Metadata) => Caller | undefined,
  inFlight: InFlight,
  logger: Logger,
) {
  return (call: ServerUnaryCall<Buffer, unknown>, reply: sendUnaryData<unknown>): void => {
    if (!inFlight.begin()) return reply(stopping);
    const context = new AbortableContext(text(call.metadata, 'x-request-id') ?? '', identify(call.metadata));
    call.once('cancelled', () => context.abort());
    const incoming = {
      method,
      context,
      traceparent: text(call.metadata, 'traceparent'),
      readRequest: () => method.requestDeserialize(call.request),
      reply: (response: unknown) => reply(null, response),
      fail: (error: AppError) => reply(toStatus(error)),
    };
    void answer(incoming, logger).then(inFlight.end);
  };
}

function text(metadata: Metadata, name: string): string | undefined {
  const value = metadata.get(name)[0];
  return typeof value === 'string' ? value : undefined;
}

function callerOf(tokens: RpcTokens): (metadata: Metadata) => Caller | undefined {
  const digest = (token: string) => createHash('sha256').update(token).digest();
  const expected = [
    { caller: 'service', digest: digest(`Bearer ${tokens.service}`) },
    { caller: 'operator', digest: digest(`Bearer ${tokens.operator}`) },
  ] as const;
  return (metadata) => {
    const authorization = text(metadata, 'authorization');
    if (!authorization) return undefined;
    const given = digest(authorization);
    return expected.find((known) => equalBytes(known.digest, given))?.caller ?? 'stranger';
  };
}
