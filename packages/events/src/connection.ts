import { setTimeout } from 'node:timers/promises';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@parley/runtime/logger';
import { parseNatsUrl } from '@parley/runtime/nats-url';
import { type Complaints, createComplaints } from './complaints.ts';

interface ConnectionOptions {
  /** As `parseNatsUrl` takes it. */
  url: string;
  logger: Logger;
  /** Called when it has been made again. */
  onAgain?: () => void;
}

/** A connection to NATS, which may come and go. */
export interface Connection extends AsyncDisposable {
  /** Undefined until it has been made for the first time. */
  current(): NatsConnection | undefined;
  /** Resolves when there is a `current`, or never will be. */
  connecting: Promise<void>;
  /** Asks whoever answers on the subject. Throws when no answer comes within `timeoutMs`, or nobody is there. */
  ask(subject: string, question: string, timeoutMs: number): Promise<string>;
  /** Answers what is asked on the subject, from the first connection until the end. `reply` must not throw. */
  answer(subject: string, reply: (question: string) => string): void;
  /** Tells who listens on the subject now, other processes and this one. Lost while there is no connection. */
  tell(subject: string, news: string): void;
  /** Hears what is told on the subject, from the first connection until the end. `hear` must not throw. */
  listen(subject: string, hear: (news: string) => void): void;
  /** Whether there is a connection now, as far as is known. */
  isConnected(): boolean;
}

type Subscriber = (message: Msg) => void;

const retryMs = 250;

/** Connects in the background, and again whenever the connection is lost. Never throws for a server that is away. */
export function openConnection({ url, logger, onAgain }: ConnectionOptions): Connection {
  const ended = new AbortController();
  const complaints = createComplaints(logger);
  const subscribers: [subject: string, subscriber: Subscriber][] = [];
  let connection: NatsConnection | undefined;
  let isConnected = false;

  const connecting = connectUntil(ended.signal, url, complaints).then(async (made) => {
    if (ended.signal.aborted) return made?.close();
    if (!made) return;
    connection = made;
    isConnected = true;
    for (const [subject, subscriber] of subscribers) subscribe(made, subject, subscriber);
    void watch(made);
  });

  const watch = async (made: NatsConnection): Promise<void> => {
    for await (const status of made.status()) {
      // Told of each attempt too whose connection the server ends.
      if (status.type === 'disconnect' && isConnected) {
        isConnected = false;
        logger.warn('connection to NATS lost');
      }
      if (status.type === 'error') complaints.tell(status.error, 'NATS refuses what was asked of it');
      if (status.type === 'reconnect') {
        isConnected = true;
        complaints.forget();
        logger.info('connected to NATS again');
        onAgain?.();
      }
    }
  };

  const add = (subject: string, subscriber: Subscriber): void => {
    subscribers.push([subject, subscriber]);
    if (connection) subscribe(connection, subject, subscriber);
  };

  return {
    current: () => connection,
    connecting,
    ask: async (subject, question, timeoutMs) => {
      if (!connection) throw new Error('NATS is not connected');
      const answered = await connection.request(subject, question, { timeout: timeoutMs });
      return answered.string();
    },
    answer: (subject, reply) => add(subject, (message) => message.respond(reply(message.string()))),
    tell: (subject, news) => {
      // The client would keep it until there is a connection again, however long that takes.
      if (isConnected) connection?.publish(subject, news);
    },
    listen: (subject, hear) => add(subject, (message) => hear(message.string())),
    isConnected: () => isConnected,
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      isConnected = false;
      await connection?.close();
    },
  };
}

/** Tries until there is a connection; undefined when told to end. */
async function connectUntil(
  signal: AbortSignal,
  url: string,
  complaints: Complaints,
): Promise<NatsConnection | undefined> {
  const { servers, demandsTls, credentials } = parseNatsUrl(url);
  while (!signal.aborted) {
    try {
      const connection = await connect({
        servers,
        ...credentials,
        ...(demandsTls && { tls: {} }),
        maxReconnectAttempts: -1,
        // A server that comes back before its list of users would otherwise be given up for good.
        ignoreAuthErrorAbort: true,
        reconnectTimeWait: retryMs,
        timeout: 2_000,
        pingInterval: 10_000,
      });
      complaints.forget();
      // The client has dropped the servers that were away by now: they may be the ones that are there later.
      const known = connection.getServers().map(({ listen }) => listen);
      if (servers.some((server) => !known.includes(server))) {
        connection.setServers([...new Set([...known, ...servers])]);
      }
      return connection;
    } catch (error) {
      complaints.tell(error, 'no connection to NATS yet');
      await setTimeout(retryMs, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

function subscribe(made: NatsConnection, subject: string, subscriber: Subscriber): void {
  made.subscribe(subject, {
    callback: (fault, message) => {
      if (!fault) subscriber(message);
    },
  });
}
