import { type JetStreamClient, type JetStreamManager, jetstream } from '@nats-io/jetstream';
import { type Connection, openConnection } from '@parley/nats/connection';
import type { Logger } from '@parley/runtime/logger';
import { createGate } from './gate.ts';
import { declareStream } from './stream.ts';

/** JetStream clients with the stream declared. */
export interface Streams {
  client: JetStreamClient;
  manager: JetStreamManager;
}

/** Messages between the replicas of a service, without durability: only connected replicas receive them. */
export type Broadcast = Pick<Connection, 'broadcast' | 'subscribe' | 'isConnected'>;

/** A broker that may be unavailable. Events wait in Postgres meanwhile. */
export interface Broker extends Broadcast, AsyncDisposable {
  /**
   * Returns JetStream with the stream declared. Waits up to 5 seconds for the first connection, or until
   * `signal` aborts or the broker is disposed of. Throws while the broker is unavailable. After a fault, call
   * `redeclareStreams`: a broker that restarted without its disk needs the stream to be declared again.
   */
  streams(signal?: AbortSignal): Promise<Streams>;
  /** Makes the next `streams()` declare the stream again. */
  redeclareStreams(): void;
}

/** How long `streams` waits for the first connection. */
const connectMsMax = 5_000;

/** Connects in the background and reconnects without end. Never throws because the broker is unavailable. */
export async function openBroker(options: { url: string | (() => string); logger: Logger }): Promise<Broker> {
  const { url, logger } = options;
  const connected = createGate();
  let declared: Promise<Streams> | undefined;
  const redeclareStreams = (): void => {
    declared = undefined;
  };
  const connection = openConnection({ url, logger, onReconnect: redeclareStreams });
  void connection.connecting.then(connected.open);

  const declare = async (): Promise<Streams> => {
    const current = connection.current();
    if (!current) throw new Error('NATS is not connected');
    const client = jetstream(current, { timeout: 3_000 });
    const manager = await client.jetstreamManager();
    await declareStream(manager);
    return { client, manager };
  };

  const { broadcast, subscribe, isConnected } = connection;
  return {
    broadcast,
    subscribe,
    isConnected,
    streams: async (signal) => {
      await connected.wait(connectMsMax, signal);
      declared ??= declare();
      try {
        return await declared;
      } catch (error) {
        redeclareStreams();
        throw error;
      }
    },
    redeclareStreams,
    [Symbol.asyncDispose]: async () => {
      connected.open();
      await connection[Symbol.asyncDispose]();
    },
  };
}
