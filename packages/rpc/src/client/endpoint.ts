import { Client, credentials, type Metadata } from '@grpc/grpc-js';
import type { CallEvents, ClientCall } from './client-call.ts';
import { ClientStream } from './client-stream.ts';
import { isRefusal } from '../wire/status.ts';
import type { PeerTls } from '../trust/tls.ts';

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
  /** As `unavailable`, because the endpoint's process is stopping. It still answers the calls that it has. */
  stopping(cause: Error): void;
  /** The endpoint was retired or disposed of, and its last call has ended. */
  closed(): void;
}

/** The time between two attempts to reach an unavailable endpoint. */
const reconnectMs = 200;
/** How soon a connection that the peer refuses is replaced: token, certificate or the peer's settings may be new. */
const refusedMsMax = 5_000;
/** How soon connections with a former certificate are replaced, each at another time. */
const replacedMsMax = 1_000;

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
  // A successor must not share the connection of its predecessor.
  'grpc.use_local_subchannel_pool': 1,
};

export interface ConnectionOptions {
  /** Returns the newest metadata of this process, for one stream. */
  metadata(): Metadata;
  tls: PeerTls | undefined;
  /** The age at which a connection is replaced at the latest. */
  msMax: number;
}

/**
 * One address of a peer, with a stream that is reopened whenever it ends. Connects at once. Replaces an old connection
 * by a new one: the calls on the old one are answered there.
 */
export class Endpoint implements Disposable {
  readonly address: string;
  readonly #options: ConnectionOptions;
  readonly #events: EndpointEvents;
  #client: Client;
  #state: EndpointState = 'connecting';
  #stream: ClientStream | undefined;
  /** Opens on a connection of its own, to replace the stream. */
  #successor: ClientStream | undefined;
  #openedAtMs = Number.POSITIVE_INFINITY;
  #reconnect: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;
  #isClosing = false;
  #isRefused = false;
  readonly #following: Disposable | undefined;
  /** Since when it cannot be reached, or was not yet. Undefined while it can. */
  #unreachableSince: Date | undefined = new Date();

  constructor(address: string, options: ConnectionOptions, events: EndpointEvents) {
    this.address = address;
    this.#options = options;
    this.#events = events;
    this.#client = this.#newClient();
    this.#following = options.tls?.onReplaced?.(() => this.#renewIn(replacedMsMax));
    this.#open();
  }

  get state(): EndpointState {
    return this.#state === 'ready' && this.#stream?.isSilent ? 'silent' : this.#state;
  }

  /** Since when it cannot be reached. Undefined while it can. */
  get unreachableSince(): Date | undefined {
    return this.#unreachableSince;
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

  #newClient(): Client {
    const { tls } = this.#options;
    if (!tls) return new Client(this.address, credentials.createInsecure(), channelOptions);
    const options = { ...channelOptions, 'grpc.ssl_target_name_override': tls.service };
    return new Client(this.address, tls.credentials, options);
  }

  #open(): void {
    this.#openedAtMs = Number.POSITIVE_INFINITY;
    this.#stream = this.#newStream(this.#client);
  }

  #newStream(client: Client): ClientStream {
    const ifCurrent = (react: () => void) => () => {
      if (this.#stream === stream) react();
    };
    const stream: ClientStream = new ClientStream(client, this.#options.metadata(), {
      ...this.#events,
      opened: () => this.#opened(client, stream),
      failed: (call, body) => {
        if (isRefusal(body) && this.#stream === stream && !this.#isRefused) {
          this.#isRefused = true;
          this.#renewIn(refusedMsMax);
        }
        this.#events.failed(call, body);
      },
      silent: ifCurrent(() => {
        this.#unreachableSince ??= new Date();
        this.#events.silent();
      }),
      resumed: ifCurrent(() => {
        this.#unreachableSince = undefined;
        this.#events.ready();
      }),
      stopping: ifCurrent(() => {
        this.#state = 'unavailable';
        this.#unreachableSince ??= new Date();
        this.#events.stopping(new Error('the peer is stopping'));
      }),
      ended: (cause) => {
        if (this.#stream === stream) return this.#ended(cause);
        client.close();
        if (this.#successor === stream) this.#renewIn(this.#options.msMax / 10);
      },
    });
    return stream;
  }

  #opened(client: Client, stream: ClientStream): void {
    if (this.#successor === stream) this.#succeed(client, stream);
    else if (this.#stream !== stream) return;
    this.#openedAtMs = performance.now();
    this.#isRefused = false;
    this.#unreachableSince = undefined;
    this.#state = 'ready';
    this.#renewIn(this.#options.msMax);
    this.#events.ready();
  }

  /** Makes a stream the one for new calls. Its predecessor answers the calls that it has. */
  #succeed(client: Client, stream: ClientStream): void {
    const predecessor = this.#stream;
    const former = this.#client;
    clearTimeout(this.#reconnect);
    this.#client = client;
    this.#stream = stream;
    this.#successor = undefined;
    if (predecessor) predecessor.finish();
    else former.close();
  }

  /** Opens a successor after about two thirds to all of the time. */
  #renewIn(msMax: number): void {
    clearTimeout(this.#renewal);
    const begun = this.#successor;
    this.#successor = undefined;
    begun?.close();
    if (this.#isClosing) return;
    const inMs = msMax * (2 / 3 + Math.random() / 3);
    this.#renewal = setTimeout(() => {
      this.#successor = this.#newStream(this.#newClient());
    }, inMs).unref();
  }

  #ended(cause: Error): void {
    this.#stream = undefined;
    this.#unreachableSince ??= new Date();
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
    this.#following?.[Symbol.dispose]();
    this.#state = 'unavailable';
    clearTimeout(this.#reconnect);
    clearTimeout(this.#renewal);
    this.#successor?.close();
    this.#successor = undefined;
    if (this.#stream) end(this.#stream);
    else this.#close();
  }

  #close(): void {
    this.#client.close();
    this.#events.closed();
  }
}
