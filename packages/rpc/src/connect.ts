import { deadlineExceeded, toAppError, unavailable } from '@parley/runtime/errors';
import { parseTarget } from '@parley/runtime/target';
import { currentTraceparent, inSpan, SpanKind } from '@parley/runtime/telemetry';
import type { ClientCall } from './client-call.ts';
import { type Copies, openCopies } from './copies.ts';
import { startDeadlines } from './deadlines.ts';
import type { CallOptions, MethodDefinition, RpcClient, ServiceDefinition } from './definition.ts';
import { callFrame, prefixed } from './frame.ts';
import { HealthService } from './health.ts';
import { messageBytesMax } from './limits.ts';
import { fromFailure } from './status.ts';

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
  /** Whether it says that it can serve, within two seconds, and takes the token. */
  isServing(): Promise<boolean>;
}

const timeoutMsMax = 2 ** 31 - 1;

/**
 * Connects when the first call is made, and again whenever it must. All calls to a copy share one stream
 * (docs/decisions/0008-one-stream-per-peer.md). A peer that is away fails calls at once (503). A call is made again, at
 * another copy, only if no handler has seen it.
 */
export function connect(address: string, options: PeerOptions): Peer {
  const target = parseTarget(address);
  const defaultTimeoutMs = options.timeoutMs ?? 5_000;
  let opened: Copies | undefined;
  let lastId = 0;
  // The requests of calls that go on: what a peer that does not take them may cost.
  let heldBytes = 0;

  /** False for a call that is settled already. */
  const settle = (call: ClientCall): boolean => {
    if (!call.frame) return false;
    call.frame = undefined;
    heldBytes -= call.frameBytes;
    deadlines.delete(call);
    if (call.aborted) call.signal?.removeEventListener('abort', call.aborted);
    return true;
  };
  const fail = (call: ClientCall, error: Error): void => {
    if (settle(call)) call.reject(error);
  };
  const giveUp = (call: ClientCall, error: Error): void => {
    fail(call, error);
    opened?.forget(call);
  };
  const deadlines = startDeadlines<ClientCall>((call) =>
    giveUp(call, deadlineExceeded(new Error(`${call.path} was not answered in time`))),
  );

  const open = (): Copies =>
    openCopies(target, `Bearer ${options.token}`, {
      answered: (call, body) => {
        if (!settle(call)) return;
        try {
          call.resolve(call.deserialize(body));
        } catch (error) {
          call.reject(toAppError(error));
        }
      },
      failed: (call, body) => fail(call, fromFailure(call.path, body)),
      lost: (call, cause) => fail(call, unavailable(cause)),
    });

  const start = (method: CalledMethod, request: never, options: CallOptions): Promise<unknown> =>
    new Promise((resolve, reject) => {
      try {
        const call = begin(method, request, options, resolve, reject);
        opened ??= open();
        opened.dispatch(call);
      } catch (error) {
        setImmediate(() => reject(toAppError(error)));
      }
    });

  const begin = (
    { path, prefixedPath, serialize, deserialize }: CalledMethod,
    request: never,
    { requestId, timeoutMs = defaultTimeoutMs, signal }: CallOptions,
    resolve: ClientCall['resolve'],
    reject: ClientCall['reject'],
  ): ClientCall => {
    if (signal?.aborted) throw unavailable(signal.reason);
    if (heldBytes > messageBytesMax) throw unavailable(new Error('too many calls wait for the peer'));
    const message = serialize(request);
    if (message.length > messageBytesMax) throw new Error(`the request is too large for ${path}`);
    const inMs = Math.max(0, Math.min(timeoutMs, timeoutMsMax));
    lastId = (lastId + 1) >>> 0;
    const traceparent = currentTraceparent() ?? '';
    const frame = callFrame(lastId, inMs, prefixedPath, requestId, traceparent, message);
    const call: ClientCall = {
      id: lastId,
      frame,
      frameBytes: frame.length,
      isSent: false,
      expiresAtMs: performance.now() + inMs,
      stream: undefined,
      path,
      deserialize,
      resolve,
      reject,
      signal,
      aborted: undefined,
    };
    heldBytes += call.frameBytes;
    deadlines.add(call);
    if (signal) {
      call.aborted = () => giveUp(call, unavailable(signal.reason));
      signal.addEventListener('abort', call.aborted);
    }
    return call;
  };

  const client = <const D extends ServiceDefinition>(definition: D): RpcClient<D> => {
    const methods: Record<string, (request: never, options: CallOptions) => Promise<unknown>> = {};
    const asRoot = definition === (HealthService as ServiceDefinition) ? 'never' : 'failed';
    for (const [name, method] of Object.entries<MethodDefinition>(definition)) {
      const called = calledMethod(method);
      const spanName = method.path.slice(1);
      const attributes = { 'rpc.system': 'grpc', 'rpc.method': method.path };
      const spanOptions = { kind: SpanKind.CLIENT, attributes, asRoot } as const;
      methods[name] = (request, call) => inSpan(spanName, spanOptions, () => start(called, request, call));
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
    [Symbol.dispose]: () => {
      opened?.[Symbol.dispose]();
      deadlines[Symbol.dispose]();
    },
  };
}

interface CalledMethod {
  path: string;
  prefixedPath: Buffer;
  serialize(request: never): Buffer;
  deserialize(answer: Buffer): unknown;
}

function calledMethod({ path, requestSerialize, responseDeserialize }: MethodDefinition): CalledMethod {
  return {
    path,
    prefixedPath: prefixed(path),
    serialize: requestSerialize,
    deserialize: responseDeserialize,
  };
}
