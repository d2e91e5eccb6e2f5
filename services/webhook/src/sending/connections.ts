import type { Socket } from 'node:net';
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { AttemptFailure, type ConnectParts, noParts } from './attempt-error.ts';
import type { Dial } from './dial.ts';
import type { Exchange } from './exchange.ts';

/** Limit of idle connections over all origins. */
const idleMax = 512;
/** Limit of the bytes received for one request. Interim responses and chunk extensions count too. */
const receivedBytesMax = 256 * 1_024;

/** A connection to an origin. It carries one request at a time. */
export class Connection extends Client {
  /** How long connecting took; `noParts` when the connection is older than the current request. */
  parts: Readonly<ConnectParts> = noParts;
  socket: Socket | undefined;
  readonly #dial: Dial;
  readonly #idle: Set<Connection>;
  #ending = new AbortController();
  /** What the socket had received when the current request was dispatched. */
  #receivedBytes = 0;

  constructor(origin: URL, options: Client.Options, dial: Dial, idle: Set<Connection>) {
    super(origin, { ...options, connect: (target, callback) => void this.#connect(target, callback) });
    this.#dial = dial;
    this.#idle = idle;
    this.on('disconnect', () => idle.delete(this));
  }

  async #connect(target: buildConnector.Options, callback: buildConnector.Callback): Promise<void> {
    this.#ending = new AbortController();
    this.socket = undefined;
    const parts = { ...noParts };
    this.parts = parts;
    let socket: Socket;
    try {
      socket = await this.#dial(target, this.#ending, parts);
    } catch (error) {
      return callback(error as Error, null);
    }
    this.socket = socket;
    this.#receivedBytes = 0;
    socket.on('readable', () => {
      if (socket.bytesRead - this.#receivedBytes <= receivedBytesMax) return;
      socket.destroy(new AttemptFailure('protocol'));
    });
    callback(null, socket);
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Exchange): boolean {
    this.#idle.delete(this);
    // undici then connects again, and sends the request over the new connection.
    if (handler.isResent) this.cut();
    this.parts = noParts;
    this.#receivedBytes = this.socket?.bytesRead ?? 0;
    handler.connection = this;
    return super.dispatch(options, handler);
  }

  /** Keeps the connection for the next request. Beyond the limit, the longest idle connection is closed. */
  keep(): void {
    this.#idle.add(this);
    const [longest] = this.#idle;
    if (this.#idle.size > idleMax) longest?.cut();
  }

  /** Closes the connection, also while it is made. The request that it carries fails with the error. */
  cut(error?: Error): void {
    this.#idle.delete(this);
    if (this.socket) this.socket.destroy(error);
    else this.#ending.abort(error);
  }
}

/**
 * Opens a pool of connections. It opens one for every request that finds none idle: the caller limits how many are in
 * use, so a receiver that hangs delays no other request.
 */
export function createConnectionPool(dial: Dial): Agent {
  const idle = new Set<Connection>();
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
      const factory = (url: URL, options: object) => new Connection(url, options, dial, idle);
      return new Pool(origin, { ...agentOptions, connect: () => {}, factory });
    },
  });
}
