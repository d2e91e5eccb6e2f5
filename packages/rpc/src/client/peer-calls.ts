import { setTimeout } from 'node:timers/promises';
import { type AppError, deadlineExceeded, toAppError, unavailable } from '@parley/runtime/errors';
import { isRecording } from '@parley/runtime/metrics/metrics';
import type { Target } from '@parley/runtime/config/target';
import { currentTraceparent } from '@parley/runtime/telemetry/telemetry';
import type { ClientCall } from './client-call.ts';
import { Deadlines } from '../wire/deadlines.ts';
import type { CallOptions, MethodDefinition } from '../wire/definition.ts';
import type { ConnectionOptions } from './endpoint.ts';
import { EndpointPool } from './endpoint-pool.ts';
import { callFrame } from '../wire/frame.ts';
import { messageBytesMax } from '../server/limits.ts';
import { recordClientCall } from '../metrics.ts';
import { fromFailure } from '../wire/status.ts';

const timeoutMsMax = 2 ** 31 - 1;

export interface ReplicaAnswer {
  address: string;
  /** Since when it cannot be reached. Undefined while it can. */
  unreachableSince: Date | undefined;
  response?: unknown;
  error?: AppError;
}

/** The calls to one peer. Each is settled once: by its answer, its deadline, its signal or the loss of its stream. */
export class PeerCalls implements Disposable {
  readonly #target: Target;
  readonly #connection: ConnectionOptions;
  readonly #defaultTimeoutMs: number;
  readonly #deadlines = new Deadlines<ClientCall>((call) =>
    this.#giveUp(call, deadlineExceeded(new Error(`${call.method.path} was not answered in time`))),
  );
  #pool: EndpointPool | undefined;
  #lastId = 0;
  /** The bytes of all unsettled requests. Their limit bounds the memory that an unresponsive peer costs. */
  #heldBytes = 0;

  constructor(target: Target, connection: ConnectionOptions, defaultTimeoutMs: number) {
    this.#target = target;
    this.#connection = connection;
    this.#defaultTimeoutMs = defaultTimeoutMs;
  }

  /** Makes a call, with the length-prefixed path of its method. The first call connects to the peer. */
  make(method: MethodDefinition, path: Buffer, request: never, options: CallOptions): Promise<unknown> {
    return this.#make(method, path, request, options, (call) => this.#opened().dispatch(call));
  }

  /**
   * Makes a call to each replica, also to replicas that get no other calls now. None if no address is known in time.
   */
  async makeToEach(
    method: MethodDefinition,
    path: Buffer,
    request: never,
    options: CallOptions & { timeoutMs: number },
  ): Promise<ReplicaAnswer[]> {
    const pool = this.#opened();
    const late = setTimeout(options.timeoutMs, [], { ref: false });
    const endpoints = await Promise.race([pool.endpoints(), late]);
    const asked = endpoints.map(async (endpoint): Promise<ReplicaAnswer> => {
      const dispatch = (call: ClientCall): void => {
        call.isPinned = true;
        pool.dispatchTo(endpoint, call);
      };
      const answer = await this.#make(method, path, request, options, dispatch).then(
        (response) => ({ response }),
        (error: unknown) => ({ error: toAppError(error) }),
      );
      return { address: endpoint.address, unreachableSince: endpoint.unreachableSince, ...answer };
    });
    return Promise.all(asked);
  }

  #make(
    method: MethodDefinition,
    path: Buffer,
    request: never,
    options: CallOptions,
    dispatch: (call: ClientCall) => void,
  ): Promise<unknown> {
    const made = new Promise((resolve, reject) => {
      try {
        dispatch(this.#begin(method, path, request, options, resolve, reject));
      } catch (error) {
        setImmediate(() => reject(toAppError(error)));
      }
    });
    return isRecording() ? recordClientCall(method.path, made) : made;
  }

  #opened(): EndpointPool {
    return (this.#pool ??= this.#open());
  }

  [Symbol.dispose](): void {
    this.#pool?.[Symbol.dispose]();
    this.#deadlines[Symbol.dispose]();
  }

  #begin(
    method: MethodDefinition,
    path: Buffer,
    request: never,
    { requestId, grant = '', timeoutMs = this.#defaultTimeoutMs, signal }: CallOptions,
    resolve: ClientCall['resolve'],
    reject: ClientCall['reject'],
  ): ClientCall {
    if (signal?.aborted) throw unavailable(signal.reason);
    if (this.#heldBytes > messageBytesMax) throw unavailable(new Error('too many calls wait for the peer'));
    const message = method.requestSerialize(request);
    if (message.length > messageBytesMax) throw new Error(`the request is too large for ${method.path}`);
    const inMs = Math.max(0, Math.min(timeoutMs, timeoutMsMax));
    const id = this.#nextId();
    const frame = callFrame(id, inMs, path, requestId, currentTraceparent() ?? '', grant, message);
    const call: ClientCall = {
      id,
      frame,
      frameBytes: frame.length,
      isSent: false,
      expiresAtMs: performance.now() + inMs,
      stream: undefined,
      method,
      resolve,
      reject,
      signal,
      onAbort: undefined,
      isPinned: false,
      isRedirected: false,
    };
    this.#heldBytes += call.frameBytes;
    this.#deadlines.add(call);
    if (signal) {
      call.onAbort = () => this.#giveUp(call, unavailable(signal.reason));
      signal.addEventListener('abort', call.onAbort);
    }
    return call;
  }

  #nextId(): number {
    this.#lastId = (this.#lastId + 1) >>> 0;
    return this.#lastId;
  }

  #open(): EndpointPool {
    return new EndpointPool(this.#target, this.#connection, {
      answered: (call, body) => {
        if (!this.#settle(call)) return;
        try {
          call.resolve(call.method.responseDeserialize(body));
        } catch (error) {
          call.reject(toAppError(error));
        }
      },
      failed: (call, body) => this.#fail(call, fromFailure(call.method.path, body)),
      lost: (call, cause) =>
        this.#fail(call, unavailable(new Error(`${call.method.path} got no answer`, { cause }))),
    });
  }

  /** Returns false if the call is settled already. */
  #settle(call: ClientCall): boolean {
    if (!call.frame) return false;
    call.frame = undefined;
    this.#heldBytes -= call.frameBytes;
    this.#deadlines.delete(call);
    if (call.onAbort) call.signal?.removeEventListener('abort', call.onAbort);
    return true;
  }

  #fail(call: ClientCall, error: Error): void {
    if (this.#settle(call)) call.reject(error);
  }

  #giveUp(call: ClientCall, error: Error): void {
    this.#fail(call, error);
    this.#pool?.cancel(call);
  }
}
