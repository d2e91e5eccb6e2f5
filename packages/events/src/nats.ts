import { type JetStreamClient, type JetStreamManager, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type BusConnection, openConnection } from '@parley/nats/connection';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { createGate } from './gate.ts';
import { leaveIsolatedServers } from './server-watch.ts';
import { declareStream } from './stream.ts';

/** JetStream clients, and their connection. */
export interface Streams {
  connection: NatsConnection;
  client: JetStreamClient;
  manager: JetStreamManager;
}

/** Messages between the replicas of a service, without durability: only connected replicas receive them. */
export type Broadcast = Pick<BusConnection, 'broadcast' | 'subscribe' | 'isConnected'>;

/** A broker that may be unavailable. Events wait in Postgres meanwhile. */
export interface Broker extends Broadcast, AsyncDisposable {
  /**
   * Returns JetStream, in the service that declares the stream with the stream declared. Waits up to 5 seconds for the
   * first connection, or until `signal` aborts or the broker is disposed of. Throws while the broker is unavailable.
   * After a fault, call `redeclareStreams`: a broker that restarted without its disk needs the stream again.
   */
  streams(signal?: AbortSignal): Promise<Streams>;
  /** Makes the next `streams()` declare the stream again. */
  redeclareStreams(): void;
}

interface BrokerOptions {
  url: string | (() => string);
  logger: Logger;
  /** The replicas of the stream that this service declares. Undefined: another service declares the stream. */
  streamReplicas?: number;
}

/** How long `streams` waits for the first connection. */
const connectMsMax = 5_000;

/** Connects in the background and reconnects without end. Never throws because the broker is unavailable. */
export async function openBroker({ url, logger, streamReplicas }: BrokerOptions): Promise<Broker> {
  const connected = createGate();
  let declared: Promise<Streams> | undefined;
  const redeclareStreams = (): void => {
    declared = undefined;
  };
  const connection = openConnection({ url, logger, onReconnect: redeclareStreams });
  void connection.connecting.then(connected.open);
  const watching = leaveIsolatedServers(connection, logger);

  const declare = async (): Promise<Streams> => {
    const current = connection.current();
    if (!current) throw new Error('NATS is not connected');
    const client = jetstream(current, { timeout: 3_000 });
    const manager = await client.jetstreamManager();
    if (streamReplicas !== undefined) await declareStream(manager, streamReplicas);
    return { connection: current, client, manager };
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
      await watching[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
    },
  };
}
