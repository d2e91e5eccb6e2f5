import { setTimeout } from 'node:timers/promises';
import { type Auth, connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { type NatsUrl, parseNatsUrl } from '@parley/runtime/config/nats-url';
import { natsConnected } from './metrics.ts';
import { createThrottledWarnings, type ThrottledWarnings } from './throttled-warnings.ts';

interface ConnectionOptions {
  /**
   * In the format of `parseNatsUrl`. A function is called for each attempt to connect: the credentials may change, the
   * servers may not.
   */
  url: string | (() => string);
  logger: Logger;
  onReconnect?: () => void;
}

/** A connection to NATS that reconnects. */
export interface Connection extends AsyncDisposable {
  /** Undefined until the first connection is established. */
  current(): NatsConnection | undefined;
  /** Resolves when `current` is set, or the connection is disposed of before that. */
  connecting: Promise<void>;
  /** Sends a request. Throws if the subject has no responder, or none answers within `timeoutMs`. */
  request(subject: string, body: string, timeoutMs: number): Promise<string>;
  /** Responds to requests on the subject until the connection is disposed of. `handle` must not throw. */
  respond(subject: string, handle: (body: string) => string): void;
  /** Sends a message to the current subscribers, this process included. Dropped while disconnected. */
  broadcast(subject: string, message: string): void;
  /** Receives broadcasts on the subject until the connection is disposed of. `onMessage` must not throw. */
  subscribe(subject: string, onMessage: (message: string) => void): void;
  /** Whether the connection is up, as far as this process knows. */
  isConnected(): boolean;
}

type Subscriber = (message: Msg) => void;

const retryMs = 250;

/** Connects in the background and reconnects without end. Never throws because the server is unavailable. */
export function openConnection({ url, logger, onReconnect }: ConnectionOptions): Connection {
  const ended = new AbortController();
  const warnings = createThrottledWarnings(logger);
  const subscribers: [subject: string, subscriber: Subscriber][] = [];
  let connection: NatsConnection | undefined;
  let isConnected = false;

  const connecting = connectUntil(ended.signal, url, warnings).then(async (made) => {
    if (!made || ended.signal.aborted) return made?.close();
    connection = made;
    isConnected = true;
    for (const [subject, subscriber] of subscribers) subscribe(made, subject, subscriber);
    void watch(made);
  });

  const watch = async (made: NatsConnection): Promise<void> => {
    for await (const status of made.status()) {
      // The client also emits `disconnect` for each failed attempt to reconnect.
      if (status.type === 'disconnect' && isConnected) {
        isConnected = false;
        logger.warn('connection to NATS lost');
      }
      if (status.type === 'error') warnings.warn(status.error, 'NATS has returned an error');
      if (status.type === 'reconnect') {
        isConnected = true;
        warnings.reset();
        logger.info('reconnected to NATS');
        onReconnect?.();
      }
    }
  };

  natsConnected.observe((report) => report(Number(isConnected)));

  const add = (subject: string, subscriber: Subscriber): void => {
    subscribers.push([subject, subscriber]);
    if (connection) subscribe(connection, subject, subscriber);
  };

  return {
    current: () => connection,
    connecting,
    request: async (subject, body, timeoutMs) => {
      if (!connection) throw new Error('NATS is not connected');
      return (await connection.request(subject, body, { timeout: timeoutMs })).string();
    },
    respond: (subject, handle) => add(subject, (message) => message.respond(handle(message.string()))),
    broadcast: (subject, message) => {
      // The client would buffer the message until it reconnects, without a time limit.
      if (isConnected) connection?.publish(subject, message);
    },
    subscribe: (subject, onMessage) => add(subject, (message) => onMessage(message.string())),
    isConnected: () => isConnected,
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      isConnected = false;
      await connection?.close();
    },
  };
}

/** Retries until connected. Returns undefined if `signal` aborts first. */
async function connectUntil(
  signal: AbortSignal,
  url: ConnectionOptions['url'],
  warnings: ThrottledWarnings,
): Promise<NatsConnection | undefined> {
  const newest = (): NatsUrl => parseNatsUrl(typeof url === 'string' ? url : url());
  const { servers, demandsTls, inboxPrefix } = newest();
  while (!signal.aborted) {
    try {
      const connection = await connect({
        servers,
        inboxPrefix,
        authenticator: () => authOf(newest()),
        ...(demandsTls && { tls: {} }),
        maxReconnectAttempts: -1,
        // Otherwise the client gives up on a server that starts before its list of users is loaded.
        ignoreAuthErrorAbort: true,
        reconnectTimeWait: retryMs,
        timeout: 2_000,
        // A server that does not answer three of them is left for another one.
        pingInterval: 2_000,
        maxPingOut: 2,
      });
      warnings.reset();
      // The client forgets servers that were unavailable at first. Add them again for later reconnects.
      const known = connection.getServers().map(({ listen }) => listen);
      if (servers.some((server) => !known.includes(server))) {
        connection.setServers([...new Set([...known, ...servers])]);
      }
      return connection;
    } catch (error) {
      warnings.warn(error, 'no connection to NATS yet');
      await setTimeout(retryMs, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

function authOf({ credentials: { user, pass, token } }: NatsUrl): Auth {
  if (token !== undefined) return { auth_token: token };
  if (user !== undefined) return { user, pass };
}

function subscribe(made: NatsConnection, subject: string, subscriber: Subscriber): void {
  made.subscribe(subject, {
    callback: (fault, message) => {
      if (!fault) subscriber(message);
    },
  });
}
