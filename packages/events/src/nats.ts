import { type JetStreamClient, type JetStreamManager, jetstream } from '@nats-io/jetstream';
import type { Logger } from '@parley/runtime/logger';
import { type Connection, openConnection } from './connection.ts';
import { createGate } from './gate.ts';
import { declareStream } from './stream.ts';

/** JetStream as this process uses it, once it is there. */
export interface Streams {
  client: JetStreamClient;
  manager: JetStreamManager;
}

/** What copies of a service say to each other: heard by those who are there, at once or never. */
export type Hearsay = Pick<Connection, 'tell' | 'listen' | 'isConnected'>;

/** A broker that may come and go: events wait in Postgres meanwhile. */
export interface Broker extends Hearsay, AsyncDisposable {
  /**
   * JetStream with our stream declared. The first connection is waited for, up to 5 seconds, until `signal` aborts or the
   * broker is disposed of; else it throws while the broker is away. After a fault call `forget`: a broker that came back
   * without its disk needs the stream anew.
   */
  streams(signal?: AbortSignal): Promise<Streams>;
  /** Makes the next `streams()` declare the stream again. */
  forget(): void;
}

/** How long `streams` waits for the first connection. */
const connectMsMax = 5_000;

/** Opens a connection in the background; it is made again whenever it is lost. Never throws for a broker that is away. */
export async function openBroker(options: { url: string; logger: Logger }): Promise<Broker> {
  const { url, logger } = options;
  const connected = createGate();
  let declared: Promise<Streams> | undefined;
  const connection = openConnection({
    url,
    logger,
    onAgain: () => {
      declared = undefined;
    },
  });
  void connection.connecting.then(connected.open);

  const declare = async (): Promise<Streams> => {
    const current = connection.current();
    if (!current) throw new Error('NATS is not connected');
    const client = jetstream(current, { timeout: 3_000 });
    const manager = await client.jetstreamManager();
    await declareStream(manager);
    return { client, manager };
  };

  const { tell, listen, isConnected } = connection;
  return {
    tell,
    listen,
    isConnected,
    streams: async (signal) => {
      await connected.wait(connectMsMax, signal);
      declared ??= declare();
      try {
        return await declared;
      } catch (error) {
        declared = undefined;
        throw error;
      }
    },
    forget: () => {
      declared = undefined;
    },
    [Symbol.asyncDispose]: async () => {
      connected.open();
      await connection[Symbol.asyncDispose]();
    },
  };
}
