import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type MethodDefinition as GrpcMethodDefinition,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServiceDefinition as GrpcServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { type HealthCheckRequest, HealthService } from '@parley/contracts/health';
import { callerNames, methodAccess } from '@parley/contracts/method-access';
import { ProcessServiceService } from '@parley/contracts/process/v1/process';
import { addressText, type ListenAddress } from '@parley/runtime/config/config';
import { type AppError, unavailable } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { requestIdOf as wellFormedRequestId } from '@parley/runtime/telemetry/request-id';
import type { Running } from '@parley/runtime/run';
import { answer, type Answering, callerFault, reportRefusal, type ServedMethod } from './answer.ts';
import { callerOf, peerAddressOf, type ReceivedCall, metadataText } from '../trust/callers.ts';
import type { Caller, RpcTokens } from './context.ts';
import { Deadlines } from '../wire/deadlines.ts';
import type { Handlers, MethodDefinition, ServiceDefinition } from '../wire/definition.ts';
import { rawBytes, streamPath } from '../wire/frame.ts';
import type { GrantVerifier } from '../trust/grants.ts';
import { InFlight } from './in-flight.ts';
import { connectionMsMax, grpcMessageBytesMax, messageBytesMax } from './limits.ts';
import { processHandlers } from './process-service.ts';
import { type Readiness, type ReadinessOptions, watchReadiness } from './readiness.ts';
import { addReflection } from './reflection.ts';
import { ServerCall } from './server-call.ts';
import { ServerStream } from './server-stream.ts';
import { Stalls } from './stalls.ts';
import { requestIdField, toStatus } from '../wire/status.ts';
import type { RpcTls } from '../trust/tls.ts';

const open = { callers: 'anyone', grant: 'none' } as const;

export interface Service {
  definition: GrpcServiceDefinition;
  methods: Record<string, ServedMethod>;
}

/**
 * Pairs a generated definition with handlers. They get only calls of the callers that `proto/` declares for a method,
 * and only requests that pass `checkRequest` with the rules. Methods that are not Parley's own accept anyone.
 */
export function service<const D extends ServiceDefinition & GrpcServiceDefinition>(
  definition: D,
  handlers: Handlers<D>,
  { rules = {} }: Partial<Pick<ServedMethod, 'rules'>> = {},
): Service {
  const methods: Service['methods'] = {};
  for (const [name, method] of Object.entries<MethodDefinition>(definition)) {
    const handle: ServedMethod['handle'] = handlers[name as keyof D];
    const { callers, grant } = accessOf(method.path);
    methods[name] = { ...method, handle, callers, grant, rules };
  }
  return { definition, methods };
}

function accessOf(path: string): Pick<ServedMethod, 'callers' | 'grant'> {
  if (!path.startsWith('/parley.')) return open;
  const access = methodAccess.get(path);
  if (!access) throw new Error(`${path} has no callers: generate them again`);
  return access;
}

/**
 * `Watch` is UNIMPLEMENTED: kubelets and load balancers use `Check`. The service `process` is for liveness probes: it
 * does not depend on the database, because a restart would not help.
 */
function healthService(isReady: Readiness['isReady']): Service {
  const check = async ({ service: name }: HealthCheckRequest) => {
    const ready = name === 'process' || (await isReady());
    return { status: ready ? 'SERVING' : 'NOT_SERVING' } as const;
  };
  return service(HealthService, { check });
}

function servicesOfEveryProcess({ isReady }: Readiness): Service[] {
  return [healthService(isReady), service(ProcessServiceService, processHandlers(isReady))];
}

/** `isReady`, `standings` and the clock of `grants` decide about `grpc.health.v1` and `ProcessService`. */
interface ServeOptions extends ReadinessOptions {
  listen: ListenAddress;
  services: Service[];
  tokens: RpcTokens;
  /** Verifies what gateways prove. Without it, their calls that need a grant are refused. */
  grants?: GrantVerifier;
  /** Without it, calls are plain text. With it, plain text is refused, except for probes of this machine. */
  tls?: Pick<RpcTls, 'server'> | undefined;
}

/**
 * Serves services, `ProcessService` and `grpc.health.v1` over gRPC: by the stream of `connect`, and as unary methods
 * for probes, tools and clients in other languages, with `grpc.reflection.v1`. When disposed of, refuses new calls so
 * that callers send them to another replica, waits at most five seconds for calls in flight, and then closes the
 * connections. A call needs one of `tokens`, and with TLS a certificate for the name of its caller: UNAUTHENTICATED for
 * another, PERMISSION_DENIED if the method is not for its caller. A health check needs none but rejects a wrong token,
 * so that a client can check its own token.
 */
export async function serve(options: ServeOptions): Promise<Running> {
  const { listen, tls, logger, grants } = options;
  const server = new Server({
    // A message is read before its sender is known.
    'grpc.max_receive_message_length': grpcMessageBytesMax,
    'grpc.max_send_message_length': messageBytesMax,
    // Clients renew their connections sooner. This is for other clients.
    'grpc.max_connection_age_ms': 2 * connectionMsMax,
    'grpc.max_connection_age_grace_ms': 60_000,
    // Ends the streams of clients that have vanished.
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
  const identify = callerOf(options.tokens, { hasTls: tls !== undefined });
  const inFlight = new InFlight();
  const stalls = new Stalls();
  const readiness = watchReadiness(options);
  const services = [...options.services, ...servicesOfEveryProcess(readiness)];
  const methods = addUnaryMethods(server, services, (method) => unary(method, identify, inFlight, options));
  addReflection(server, methods.keys(), (call) =>
    inFlight.isDraining ? stopping : reflectionFault(call, identify(call), logger),
  );

  const streams = new Set<ServerStream>();
  const deadlines = new Deadlines<ServerCall>((call) => call.abort());
  const shared = { methods, inFlight, stalls, deadlines, logger, grants };
  server.addService(
    { exchange: streamDefinition },
    {
      exchange: (stream: ServerDuplexStream<Buffer, Buffer>) => {
        if (inFlight.isDraining) return void stream.emit('error', toStatus(stopping));
        const served = new ServerStream(stream, identify(stream), shared);
        streams.add(served);
        stream.once('close', () => streams.delete(served));
      },
    },
  );

  const plain = ServerCredentials.createInsecure();
  const port = await bind(server, addressText(listen), tls?.server ?? plain);
  if (tls) await bindForProbes(server, port, plain);
  return {
    address: addressText({ ...listen, port }),
    [Symbol.asyncDispose]: async () => {
      const force = setTimeout(() => server.forceShutdown(), drainMsMax);
      // Close connections only when they are idle: if a keepalive ping falls due while a connection closes, grpc-js
      // drops its calls (grpc-node, issue 3068).
      const drained = [inFlight.drain(), ...[...streams].map((stream) => stream.stop())];
      await Promise.race([Promise.all(drained), delay(drainMsMax, undefined, { ref: false })]);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(force);
      deadlines[Symbol.dispose]();
      readiness[Symbol.dispose]();
      stalls[Symbol.dispose]();
    },
  };
}

function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => (error ? reject(error) : resolve(port)));
  });
}

/**
 * Listens on a socket of this machine for `check-health.mjs`, which must not depend on files that this process does not
 * use. Callers have no certificate there, so that they can only check the health.
 */
async function bindForProbes(server: Server, port: number, plain: ServerCredentials): Promise<void> {
  const path = join(tmpdir(), `parley-health-${port}.sock`);
  // A killed process leaves its own.
  await rm(path, { force: true });
  await bind(server, `unix:${path}`, plain);
}

const drainMsMax = 5_000;
const stopping = unavailable(undefined, 'The process is stopping');

const streamDefinition: GrpcMethodDefinition<Buffer, Buffer> = {
  path: streamPath,
  requestStream: true,
  responseStream: true,
  requestSerialize: rawBytes,
  requestDeserialize: rawBytes,
  responseSerialize: rawBytes,
  responseDeserialize: rawBytes,
};

/** Leaves requests as bytes, so that `answer` reports malformed ones like other faults. */
function withRawRequests(definition: GrpcServiceDefinition): GrpcServiceDefinition {
  const entries = Object.entries(definition).map(([name, method]) => [
    name,
    { ...method, requestDeserialize: rawBytes },
  ]);
  return Object.fromEntries(entries) as GrpcServiceDefinition;
}

function addUnaryMethods(
  server: Server,
  services: readonly Service[],
  implement: (method: ServedMethod) => ReturnType<typeof unary>,
): Map<string, ServedMethod> {
  const byPath = new Map<string, ServedMethod>();
  for (const { definition, methods } of services) {
    const implementation: UntypedServiceImplementation = {};
    for (const [name, method] of Object.entries(methods)) {
      byPath.set(method.path, method);
      implementation[name] = implement(method);
    }
    server.addService(withRawRequests(definition), implementation);
  }
  return byPath;
}

/** Returns the error of a caller that may not use reflection, and reports it. */
function reflectionFault(
  call: ReceivedCall & { getPath(): string },
  caller: Caller | undefined,
  logger: Logger,
): AppError | undefined {
  const fault = callerFault(callerNames, caller);
  const line = { requestId: requestIdOf(call), path: call.getPath(), peerAddress: peerAddressOf(call) };
  if (fault) reportRefusal(logger, line, caller, fault);
  return fault;
}

/** Returns the request id of a unary call or a reflection: a new one if the client states none. */
function requestIdOf({ metadata }: Pick<ReceivedCall, 'metadata'>): string {
  return wellFormedRequestId(metadataText(metadata, requestIdField));
}

function unary(
  method: ServedMethod,
  identify: (call: ReceivedCall) => Caller | undefined,
  inFlight: InFlight,
  answering: Answering,
) {
  return (call: ServerUnaryCall<Buffer, unknown>, reply: sendUnaryData<unknown>): void => {
    if (!inFlight.begin()) return reply(toStatus(stopping));
    const requestId = requestIdOf(call);
    const context = new ServerCall(requestId, identify(call));
    call.once('cancelled', () => context.abort());
    const incoming = {
      method,
      context,
      peerAddress: peerAddressOf(call),
      traceparent: metadataText(call.metadata, 'traceparent'),
      grantText: metadataText(call.metadata, 'x-parley-grant') ?? '',
      readRequest: () => method.requestDeserialize(call.request),
      reply: (response: unknown) => reply(null, response),
      fail: (error: AppError) => reply(toStatus(error, requestId)),
    };
    void answer(incoming, answering).then(() => inFlight.end());
  };
}
