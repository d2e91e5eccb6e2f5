import { Client, credentials, type Metadata, Metadata as GrpcMetadata, type ServiceError } from '@grpc/grpc-js';
import { currentTraceparent, inSpan, SpanKind } from '@parley/runtime/telemetry';
import type { CallOptions, MethodDefinition, RpcClient, ServiceDefinition } from './definition.ts';
import { healthDefinition } from './health.ts';
import { messageBytesMax } from './limits.ts';
import { fromStatus } from './status.ts';

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
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.keepalive_time_ms': 20_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.enable_retries': 0,
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  });
  const authorization = `Bearer ${options.token}`;
  const timeoutMs = options.timeoutMs ?? 5_000;

  return {
    client: (definition) => {
      const client: Record<string, (request: never, options: CallOptions) => Promise<unknown>> = {};
      for (const [name, method] of Object.entries<MethodDefinition<never, unknown>>(definition)) {
        const spanOptions = {
          kind: SpanKind.CLIENT,
          attributes: { 'rpc.system': 'grpc', 'rpc.method': method.path },
        };
        client[name] = (request, call) =>
          inSpan(method.path.slice(1), spanOptions, () => {
            const metadata = new GrpcMetadata();
            metadata.set('authorization', authorization);
            metadata.set('x-request-id', call.requestId);
            const traceparent = currentTraceparent();
            if (traceparent) metadata.set('traceparent', traceparent);
            return unary(channel, method, request, metadata, call.timeoutMs ?? timeoutMs, call.signal);
          });
      }
      return client as RpcClient<typeof definition>;
    },
    isServing: async () => {
      const check = healthDefinition['check'];
      if (!check) return false;
      try {
        const method = { ...check, requestStream: false, responseStream: false } as const;
        const response = await unary(channel, method, { service: '' }, new GrpcMetadata(), 2_000, undefined);
        return (response as { status: unknown }).status === 'SERVING';
      } catch {
        return false;
      }
    },
    [Symbol.dispose]: () => channel.close(),
  };
}

function unary<Request, Response>(
  channel: Client,
  method: MethodDefinition<Request, Response>,
  request: Request,
  metadata: Metadata,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const call = channel.makeUnaryRequest(
      method.path,
      (value: Request) => method.requestSerialize(value),
      (bytes: Buffer) => method.responseDeserialize(bytes),
      request,
      metadata,
      { deadline: Date.now() + timeoutMs },
      (error: ServiceError | null, response?: Response) => {
        signal?.removeEventListener('abort', cancel);
        if (error) reject(fromStatus(error));
        else if (response === undefined) reject(new Error('a call ended without a response'));
        else resolve(response);
      },
    );
    const cancel = (): void => call.cancel();
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  });
}
