import { Client, credentials } from '@grpc/grpc-js';
import type { CallEvents, ClientCall } from './client-call.ts';
import { ClientStream } from './client-stream.ts';

/**
 * `connecting`: calls may wait for the endpoint. `silent`: so they may, but its connection is open; it may be frozen.
 * `unavailable`: it has failed or is stopping, and reconnects in the background.
 */
type EndpointState = 'ready' | 'connecting' | 'silent' | 'unavailable';

interface EndpointEvents extends CallEvents {
  ready(): void;
  /** Called repeatedly while the endpoint is silent. */
  silent(): void;
  /** The endpoint is not ready any more. */
  unavailable(cause: Error): void;
  /** The same, because its process is stopping. It still answers the calls that it has. */
  stopping(cause: Error): void;
  /** The endpoint was retired or disposed of, and its last call has ended. */
  closed(): void;
}

/** The time between two attempts to reach an unavailable endpoint. */
const reconnectMs = 200;

const channelOptions = {
  'grpc.initial_reconnect_backoff_ms': reconnectMs / 2,
  'grpc.max_reconnect_backoff_ms': reconnectMs / 2,
  // Answers in transit. With the default of 64 KiB, each piece of a large answer would wait for the previous one.
  'grpc-node.flow_control_window': 1024 * 1024,
  // Ends the connection to a peer that has vanished, or is frozen for long.
  'grpc.keepalive_time_ms': 4_000,
  'grpc.keepalive_timeout_ms': 4_000,
  // With retries, a batch would count as written once it is in the buffer for retries.
  'grpc.enable_retries': 0,
  // Calls between services never leave their network: a proxy in the environment is for others.
  'grpc.enable_http_proxy': 0,
  'grpc.per_rpc_retry_buffer_size': 0,
};

/** One address of a peer, with a stream that is reopened whenever it ends. Connects at once. */
export class Endpoint implements Disposable {
  readonly #client: Client;
  readonly #authorization: () => string;
  readonly #events: EndpointEvents;
  #state: EndpointState = 'connecting';
  #stream: ClientStream | undefined;
  #openedAtMs = Number.POSITIVE_INFINITY;
  #reconnect: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(address: string, authorization: () => string, events: EndpointEvents) {
    this.#client = new Client(address, credentials.createInsecure(), channelOptions);
    this.#authorization = authorization;
    this.#events = events;
    this.#open();
  }

  get state(): EndpointState {
    return this.#state === 'ready' && this.#stream?.isSilent ? 'silent' : this.#state;
  }

  /** How late its next heartbeat is, to compare endpoints. */
  get lateTicks(): number {
    return this.#stream?.lateTicks ?? 0;
  }

  /** Sends a call. The endpoint must be ready. */
  send(call: ClientCall): void {
    call.stream = this.#stream;
    this.#stream?.send(call);
  }

  /** Emits `undelivered` for its idempotent calls, at most once each. */
  redirect(): void {
    this.#stream?.redirect();
  }

  /** Closes the endpoint when its sent calls are answered. */
  retire(): void {
    this.#closeAfter((stream) => stream.finish());
  }

  [Symbol.dispose](): void {
    this.#closeAfter((stream) => stream.close());
  }

  #open(): void {
    this.#openedAtMs = Number.POSITIVE_INFINITY;
    this.#stream = new ClientStream(this.#client, this.#authorization(), {
      ...this.#events,
      opened: () => {
        this.#openedAtMs = performance.now();
        this.#state = 'ready';
        this.#events.ready();
      },
      silent: () => this.#events.silent(),
      resumed: () => this.#events.ready(),
      stopping: () => {
        this.#state = 'unavailable';
        this.#events.stopping(new Error('the peer is stopping'));
      },
      ended: (cause) => this.#ended(cause),
    });
  }

  #ended(cause: Error): void {
    this.#stream = undefined;
    if (this.#isClosing) return this.#close();
    if (performance.now() - this.#openedAtMs > reconnectMs) {
      // It was ready for a while: most often it, or its successor, is reachable at once.
      this.#state = 'connecting';
      this.#open();
    } else {
      this.#state = 'unavailable';
      this.#reconnect = setTimeout(() => this.#open(), reconnectMs).unref();
    }
    this.#events.unavailable(cause);
  }

  #closeAfter(end: (stream: ClientStream) => void): void {
    this.#isClosing = true;
    this.#state = 'unavailable';
    clearTimeout(this.#reconnect);
    if (this.#stream) end(this.#stream);
    else this.#close();
  }

  #close(): void {
    this.#client.close();
    this.#events.closed();
  }
}
