import {
  Client,
  credentials,
  type Metadata,
  Metadata as GrpcMetadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { currentTraceparent, inSpan, SpanKind } from '@parley/runtime/telemetry';
import type { CallOptions, MethodDefinition, RpcClient, ServiceDefinition } from './definition.ts';
import { HealthService } from './health.ts';
import { messageBytesMax } from './limits.ts';
import { fromStatus, wasRefused } from './status.ts';

interface PeerOptions {
  /** Bearer token that the peer accepts. */
  token: string;
  /** How long a call may take unless it says otherwise. */
  timeoutMs?: number;
}

/** A process of ours at an address: `host:port`, `dns:///name:port` or `ipv4:a:p,b:p` (calls go round-robin). */
export interface Peer extends Disposable {
  /** One of its services as an object of async functions. */
  client<const D extends ServiceDefinition>(definition: D): RpcClient<D>;
  /** Whether it says that it can serve, within two seconds. */
  isServing(): Promise<boolean>;
}

/** Connects when the first call is made, and again whenever it must. A peer that is away fails calls at once (503). */
export function connect(address: string, options: PeerOptions): Peer {
  const channel = new Client(address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': messageBytesMax,
    'grpc.max_send_message_length': messageBytesMax,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 500,
    // A peer that is frozen keeps its connection: this is how long it gets calls.
    'grpc.keepalive_time_ms': 4_000,
    'grpc.keepalive_timeout_ms': 4_000,
    'grpc.enable_retries': 0,
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  });
  const authorization = `Bearer ${options.token}`;
  const timeoutMs = options.timeoutMs ?? 5_000;

  const client = <const D extends ServiceDefinition>(definition: D): RpcClient<D> => {
    const methods: Record<string, (request: never, options: CallOptions) => Promise<unknown>> = {};
    for (const [name, method] of Object.entries<MethodDefinition>(definition)) {
      const spanOptions = {
        kind: SpanKind.CLIENT,
        attributes: { 'rpc.system': 'grpc', 'rpc.method': method.path },
      };
      methods[name] = (request, call) =>
        inSpan(method.path.slice(1), spanOptions, () => {
          const metadata = new GrpcMetadata();
          metadata.set('authorization', authorization);
          metadata.set('x-request-id', call.requestId);
          const traceparent = currentTraceparent();
          if (traceparent) metadata.set('traceparent', traceparent);
          return unary(channel, method, request, metadata, call.timeoutMs ?? timeoutMs, call.signal);
        });
    }
    return methods as RpcClient<D>;
  };
  const health = client(HealthService);

  return {
    client,
    isServing: async () => {
      try {
        const { status } = await health.check({ service: '' }, { requestId: 'health', timeoutMs: 2_000 });
        return status === 'SERVING';
      } catch {
        return false;
      }
    },
    [Symbol.dispose]: () => channel.close(),
  };
}

// A peer that stops refuses calls before a handler has seen them. They are made again: the channel goes round the copies,
// so that another one soon has it. When there is none, a tenth of a second is lost.
const refusedTriesMax = 10;
const refusedPauseMs = 10;

function unary(
  channel: Client,
  method: Pick<MethodDefinition, 'path' | 'requestSerialize' | 'responseDeserialize'>,
  request: never,
  metadata: Metadata,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const deadline = Date.now() + timeoutMs;
  return new Promise((resolve, reject) => {
    const attempt = (tries: number): void => {
      const call = channel.makeUnaryRequest(
        method.path,
        (value: never) => method.requestSerialize(value),
        (bytes: Buffer) => method.responseDeserialize(bytes),
        request,
        metadata,
        { deadline },
        (error: ServiceError | null, response?: unknown) => {
          signal?.removeEventListener('abort', cancel);
          if (!error) resolve(response);
          else if (wasRefused(error) && tries < refusedTriesMax && !signal?.aborted) {
            setTimeout(attempt, refusedPauseMs, tries + 1);
          } else reject(fromStatus(error));
        },
      );
      const cancel = (): void => call.cancel();
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    };
    attempt(1);
  });
}
