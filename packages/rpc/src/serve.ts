import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition as GrpcServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { ListenAddress } from '@parley/runtime/config';
import { AppError, toAppError } from '@parley/runtime/errors';
import { equalBytes } from '@parley/runtime/keyring';
import type { Logger } from '@parley/runtime/logger';
import type { Running } from '@parley/runtime/run';
import { contextFrom, inSpan, SpanKind } from '@parley/runtime/telemetry';
import type { Caller, CallContext, RpcTokens } from './context.ts';
import type { Handlers, ServiceDefinition } from './definition.ts';
import { healthHandlers, HealthService } from './health.ts';
import { countInFlight } from './in-flight.ts';
import { messageBytesMax } from './limits.ts';
import { refusal, toStatus } from './status.ts';

/** One method of a service. Method-typed, so that a handler of any message fits. */
interface Method {
  path: string;
  handle(request: unknown, context: CallContext): Promise<unknown>;
}

/** A definition with its handlers, and who may call it. */
export interface Service {
  definition: GrpcServiceDefinition;
  methods: Record<string, Method>;
  /** `anyone` needs no credential. */
  callers: readonly Caller[] | 'anyone';
}

/** Pairs a generated definition with handlers. `callers`: services and the operator, unless said otherwise. */
export function service<const D extends ServiceDefinition & GrpcServiceDefinition>(
  definition: D,
  handlers: Handlers<D>,
  callers: Service['callers'] = ['service', 'operator'],
): Service {
  const methods: Service['methods'] = {};
  for (const name of Object.keys(definition) as (keyof D & string)[]) {
    const handle: Method['handle'] = handlers[name];
    methods[name] = { path: String(definition[name]?.path), handle };
  }
  return { definition, methods, callers };
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
 * Serves over gRPC, with `grpc.health.v1` beside. Disposing of it refuses new calls, health checks too, in a way that
 * callers take to another copy, waits for those in flight, and then closes the connections.
 * Every call but health needs a bearer token of `tokens`: UNAUTHENTICATED without, PERMISSION_DENIED for the wrong one.
 */
export async function serve(options: ServeOptions): Promise<Running> {
  const server = new Server({
    'grpc.max_receive_message_length': messageBytesMax,
    'grpc.max_send_message_length': messageBytesMax,
  });
  const identify = callerOf(options.tokens);
  const inFlight = countInFlight();
  const health = service(HealthService, healthHandlers(options.isReady), 'anyone');
  for (const { definition, methods, callers } of [...options.services, health]) {
    const implementation: UntypedServiceImplementation = {};
    for (const [name, { path, handle }] of Object.entries(methods)) {
      implementation[name] = (call: ServerUnaryCall<unknown, unknown>, reply: sendUnaryData<unknown>) => {
        if (!inFlight.begin()) return reply(refusal());
        void answer(call, path, handle, callers, identify, options.logger)
          .then(
            (response) => reply(null, response),
            (error: unknown) => reply(toStatus(toAppError(error))),
          )
          .finally(inFlight.end);
      };
    }
    server.addService(definition, implementation);
  }

  const { host } = options.listen;
  const port = await new Promise<number>((resolve, reject) => {
    const target = `${host}:${options.listen.port}`;
    server.bindAsync(target, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    address: `${host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      const force = setTimeout(() => server.forceShutdown(), drainMsMax);
      // Connections are closed when no call needs them: grpc-js drops the calls of a connection that is being closed
      // when a keepalive ping falls due (grpc-node, issue 3068).
      await Promise.race([inFlight.drain(), delay(drainMsMax, undefined, { ref: false })]);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(force);
    },
  };
}

const drainMsMax = 5_000;

async function answer(
  call: ServerUnaryCall<unknown, unknown>,
  path: string,
  handle: Method['handle'],
  callers: Service['callers'],
  identify: (metadata: Metadata) => Caller | undefined,
  logger: Logger,
): Promise<unknown> {
  const requestId = text(call.metadata, 'x-request-id') ?? '';
  const parent = contextFrom(text(call.metadata, 'traceparent'));
  const attributes = { 'rpc.system': 'grpc', 'rpc.method': path };
  return inSpan(path.slice(1), { kind: SpanKind.SERVER, attributes, parent }, async () => {
    try {
      const caller = identify(call.metadata);
      if (callers !== 'anyone') mustBe(callers, caller);
      return await handle(call.request, new UnaryContext(call, requestId, caller));
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'internal')
        logger.error({ requestId, path, err: known.cause ?? known }, 'call failed');
      else if (known.code === 'unavailable')
        logger.warn({ requestId, path, err: known.cause }, 'call unavailable');
      throw known;
    }
  });
}

function mustBe(callers: readonly Caller[], caller: Caller | undefined): void {
  if (!caller) throw new AppError('unauthenticated', 'unauthenticated', 'The call has no valid credential');
  if (callers.includes(caller)) return;
  throw new AppError('permission_denied', 'operator-only', 'The call needs the operator credential');
}

/** Makes the abort signal only for a handler that asks for it: most never do. */
class UnaryContext implements CallContext {
  readonly requestId: string;
  readonly caller: Caller | undefined;
  readonly #call: ServerUnaryCall<unknown, unknown>;
  #controller: AbortController | undefined;

  constructor(call: ServerUnaryCall<unknown, unknown>, requestId: string, caller: Caller | undefined) {
    this.#call = call;
    this.requestId = requestId;
    this.caller = caller;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController();
      this.#controller = controller;
      if (this.#call.cancelled) controller.abort();
      else this.#call.once('cancelled', () => controller.abort());
    }
    return this.#controller.signal;
  }
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
    const given = digest(text(metadata, 'authorization') ?? '');
    return expected.find((known) => equalBytes(known.digest, given))?.caller;
  };
}
