import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { AttemptFailure } from './attempt-error.ts';
import { createDial, type Dial, type DialOptions } from './dial.ts';
import type { Exchange } from './exchange.ts';
import { type Latency, noLatency } from './latency.ts';

/** Limit of idle connections over all origins. */
const idleMax = 512;
/** Limit of the bytes received for one request. Interim responses and chunk extensions count too. */
const receivedBytesMax = 256 * 1_024;

/** A connection to an origin. It carries one request at a time. */
export class ReceiverConnection extends Client {
  /** Undefined before the first connection. */
  socket: Socket | undefined;
  readonly #idle: Set<ReceiverConnection>;
  #latency: Latency = { ...noLatency };
  /** What the socket had received when the current request was dispatched. */
  #receivedBytes = 0;

  constructor(origin: URL, options: Client.Options, dial: Dial, idle: Set<ReceiverConnection>) {
    const connect: buildConnector.connector = (target, callback) => {
      callbackify(dial)(target, this.#latency, (error, socket) => {
        if (error) callback(error, null);
        else callback(null, this.#limited(socket));
      });
    };
    super(origin, { ...options, connect });
    this.#idle = idle;
    this.on('disconnect', () => idle.delete(this));
  }

  #limited(socket: Socket): Socket {
    this.socket = socket;
    this.#receivedBytes = 0;
    return socket.on('readable', () => {
      if (socket.bytesRead - this.#receivedBytes <= receivedBytesMax) return;
      socket.destroy(new AttemptFailure('protocol'));
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, exchange: Exchange): boolean {
    this.#idle.delete(this);
    // undici then connects again, and sends the request over the new connection.
    if (exchange.isResent) this.cut();
    exchange.connection = this;
    exchange.isKept = this.socket?.destroyed === false;
    this.#latency = exchange.latency;
    this.#receivedBytes = this.socket?.bytesRead ?? 0;
    return super.dispatch(options, exchange);
  }

  /** Keeps the connection for the next request. Beyond the limit, the longest idle connection is closed. */
  keep(): void {
    this.#idle.add(this);
    const [longest] = this.#idle;
    if (this.#idle.size > idleMax) longest?.cut();
  }

  /** Closes the connection. The request that it carries fails with the error. */
  cut(error?: Error): void {
    this.#idle.delete(this);
    this.socket?.destroy(error);
  }
}

/**
 * Opens a pool of connections. It opens one for every request that finds none idle: the caller limits how many are in
 * use, so an unresponsive receiver delays no other request.
 */
export function createConnectionPool(options: DialOptions): Agent {
  const dial = createDial(options);
  const idle = new Set<ReceiverConnection>();
  return new Agent({
    allowH2: false,
    // One timer per attempt covers headers and body together.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
    // Unless the receiver's `Keep-Alive` header asks for another time, up to the maximum.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
    factory: (origin, agentOptions) => {
      const factory = (url: URL, options: object) => new ReceiverConnection(url, options, dial, idle);
      return new Pool(origin, { ...agentOptions, connect: () => {}, factory });
    },
  });
}
