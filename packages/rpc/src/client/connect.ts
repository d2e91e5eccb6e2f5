import type { Metadata } from '@grpc/grpc-js';
import { HealthService } from '@parley/contracts/health';
import type { CallerName } from '@parley/contracts/method-access';
import { type GetProcessStateResponse, ProcessServiceService } from '@parley/contracts/process/v1/process';
import type { ErrorCode } from '@parley/runtime/errors';
import { parseTarget } from '@parley/runtime/config/target';
import { inSpan, SpanKind } from '@parley/runtime/telemetry/telemetry';
import { callerMetadata } from '../trust/callers.ts';
import type { CallOptions, MethodDefinition, RpcClient, ServiceDefinition } from '../wire/definition.ts';
import { lengthPrefixed } from '../wire/frame.ts';
import { connectionMsMax } from '../server/limits.ts';
import { PeerCalls } from './peer-calls.ts';
import { type Standings, standingOf } from '../server/standing.ts';
import type { PeerTls } from '../trust/tls.ts';

interface PeerOptions {
  /** The tokens that the peer may accept, separated by commas. Each new connection sends the first. */
  token: string | (() => string);
  /** The name of this service. The operator states none. */
  caller?: CallerName;
  /** How to reach it with TLS. Default: plain text. */
  tls?: PeerTls | undefined;
  /** Where this peer is added. */
  standings?: Standings;
  /** The timeout of calls that state none. Default 5,000. */
  timeoutMs?: number;
  connectionMsMax?: number;
}

export interface ReplicaState {
  address: string;
  /** Undefined: it does not answer within two seconds, or its release does not know the call. */
  state: GetProcessStateResponse | undefined;
  /** Whether it answers calls. A replica of an earlier release does, and has no state. */
  isAnswering: boolean;
  /** Since when it cannot be reached. Undefined while it can. */
  unreachableSince: Date | undefined;
}

/** A service process: `host:port`, `dns:///name:port` or `ipv4:a:p,b:p`. Calls rotate over its replicas. */
export interface Peer extends Disposable {
  client<const D extends ServiceDefinition>(definition: D): RpcClient<D>;
  /** Asks each of its replicas for its state, with these metrics. None if the address of the peer leads to none. */
  replicaStates(metrics: readonly string[]): Promise<ReplicaState[]>;
  /** Returns whether the peer answers within two seconds that it can serve, and accepts the token. */
  isServing(): Promise<boolean>;
}

/**
 * Connects to a peer at the first call, and reconnects when needed. All calls to a replica share one stream
 * (docs/decisions/0008-one-stream-per-peer.md). Calls to an unavailable peer fail at once (503). A call is retried
 * on another replica only if no handler has seen it, or if it is idempotent and the first replica is silent.
 */
export function connect(address: string, options: PeerOptions): Peer {
  const { token, tls, timeoutMs = 5_000 } = options;
  const metadata = (): Metadata =>
    callerMetadata(typeof token === 'string' ? token : token(), options.caller);
  const connection = { metadata, tls, msMax: options.connectionMsMax ?? connectionMsMax };
  const calls = new PeerCalls(parseTarget(address), connection, timeoutMs);
  const health = clientOf(calls, HealthService);
  const check = async (service: string): Promise<string> =>
    (await health.check({ service }, { requestId: 'health', timeoutMs: 2_000 })).status;
  // Whether it is ready does not matter: it would ask its own peers.
  options.standings?.add(address, () =>
    check('process').then(
      () => 'accepted' as const,
      (error: unknown) => standingOf(error, tls !== undefined),
    ),
  );
  const getProcessState = ProcessServiceService.getProcessState;
  const statePath = lengthPrefixed(getProcessState.path);
  return {
    client: (definition) => clientOf(calls, definition),
    isServing: async () => {
      try {
        return (await check('')) === 'SERVING';
      } catch {
        return false;
      }
    },
    replicaStates: async (metrics) => {
      const options = { requestId: 'state', timeoutMs: 2_000 };
      const answers = await calls.makeToEach(getProcessState, statePath, { metrics } as never, options);
      return answers.map(({ address, unreachableSince, response, error }) => ({
        address: address.replace(/^ipv[46]:/, ''),
        state: response as GetProcessStateResponse | undefined,
        isAnswering: !error || !unanswered.includes(error.code),
        unreachableSince,
      }));
    },
    [Symbol.dispose]: () => calls[Symbol.dispose](),
  };
}

/** The codes of calls without an answer. Any other error is the answer of a replica. */
const unanswered: readonly ErrorCode[] = ['unavailable', 'deadline_exceeded'];

/** The methods that processes call again and again, also while a peer is unavailable. */
const probes = /^\/grpc\.health\.|\/(?:GetTime|ListEvents|ListGrantKeys|GetProcessState)$/;

function clientOf<const D extends ServiceDefinition>(calls: PeerCalls, definition: D): RpcClient<D> {
  const methods: Record<string, (request: never, options: CallOptions) => Promise<unknown>> = {};
  for (const [name, method] of Object.entries<MethodDefinition>(definition)) {
    const path = lengthPrefixed(method.path);
    const spanName = method.path.slice(1);
    const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': spanName };
    const asRoot = probes.test(method.path) ? 'never' : 'failed';
    const spanOptions = { kind: SpanKind.CLIENT, attributes, asRoot } as const;
    methods[name] = (request, options) =>
      inSpan(spanName, spanOptions, () => calls.make(method, path, request, options));
  }
  return methods as RpcClient<D>;
}
