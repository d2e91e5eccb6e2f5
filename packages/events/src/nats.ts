import { setTimeout } from 'node:timers/promises';
import {
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { stream } from '@parley/contracts/events';
import type { Logger } from '@parley/runtime/logger';

/** JetStream as this process uses it, once it is there. */
export interface Streams {
  client: JetStreamClient;
  manager: JetStreamManager;
}

/** A broker that may come and go: events wait in Postgres meanwhile. */
export interface Broker extends AsyncDisposable {
  /**
   * JetStream with our stream declared. The first connection is waited for, up to 5 seconds or until `signal` aborts;
   * else it throws while the broker is away. After a fault call `forget`: a broker that came back without its disk needs
   * the stream anew.
   */
  streams(signal?: AbortSignal): Promise<Streams>;
  /** Makes the next `streams()` declare the stream again. */
  forget(): void;
}

/** How long `streams` waits for the first connection. */
const connectMsMax = 5_000;
/** The largest event: a transcript of 500 entries of 4,000 characters. */
const eventBytesMax = 8 * 1024 * 1024;
const eventsKeptMs = 24 * 60 * 60 * 1_000;

/** Opens a connection in the background; it is made again whenever it is lost. Never throws for a broker that is away. */
export async function openBroker(options: { url: string; logger: Logger }): Promise<Broker> {
  const { logger } = options;
  const ended = new AbortController();
  let connection: NatsConnection | undefined;
  let declared: Promise<Streams> | undefined;

  const connecting = connect({
    servers: options.url,
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    timeout: 2_000,
    pingInterval: 10_000,
  }).then(
    async (made) => {
      connection = made;
      const payloadBytesMax = made.info?.max_payload ?? 0;
      if (payloadBytesMax < eventBytesMax) {
        logger.warn(
          { payloadBytesMax, eventBytesMax },
          'NATS does not take the largest events: raise its max_payload',
        );
      }
      if (ended.signal.aborted) await made.close();
      else void watch(made);
    },
    (error: unknown) => {
      if (!ended.signal.aborted) logger.error({ err: error }, 'no connection to NATS can be made');
    },
  );

  const watch = async (made: NatsConnection): Promise<void> => {
    for await (const status of made.status()) {
      if (status.type === 'disconnect') logger.warn('connection to NATS lost');
      if (status.type === 'reconnect') {
        logger.info('connected to NATS again');
        declared = undefined;
      }
    }
  };

  const declare = async (): Promise<Streams> => {
    if (!connection) throw new Error('NATS is not connected');
    const client = jetstream(connection, { timeout: 3_000 });
    const manager = await client.jetstreamManager();
    await declareStream(manager);
    return { client, manager };
  };

  return {
    streams: async (signal = ended.signal) => {
      if (!connection) {
        await Promise.race([connecting, setTimeout(connectMsMax, undefined, { ref: false, signal })]);
      }
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
      ended.abort();
      await connection?.close();
    },
  };
}

/** Work-queue retention: a message is gone once the consumer has it. What the broker forgets is sent again. */
async function declareStream(manager: JetStreamManager): Promise<void> {
  const config = {
    name: stream.name,
    subjects: [...stream.subjects],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(eventsKeptMs),
  };
  try {
    await manager.streams.info(stream.name);
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
    await manager.streams.add(config);
  }
}
