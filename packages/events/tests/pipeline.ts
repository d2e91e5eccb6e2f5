import { randomUUID } from 'node:crypto';
import { interactionCompleted, stream } from '@parley/contracts/events';
import type { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import { EventLogServiceService } from '@parley/contracts/events/v1/log';
import { type Handle, type Received, startConsumer } from '@parley/events/consumer';
import { createInbox, extendInbox } from '@parley/events/inbox';
import { postponedBy } from '@parley/events/shares';
import { createEventLog, type LogTables, newEvent } from '@parley/events/log';
import { eventLogHandlers, eventLogService } from '@parley/events/log-service';
import { openBroker, type Streams } from '@parley/events/nats';
import { startRelay } from '@parley/events/relay';
import { keepStream } from '@parley/events/stream-upkeep';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createPartitionFunctions } from '@parley/postgres/schema/partitions';
import { connect } from '@parley/rpc/connect';
import type { RpcClient } from '@parley/rpc/definition';
import { serve } from '@parley/rpc/serve';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { type PrivateNats, startPrivateNats } from '@parley/testing/servers/nats';
import { quietLogger } from '@parley/testing/quiet';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import type { Kysely } from 'kysely';
import { expect } from 'vitest';

export const logger = quietLogger;
const tokens = { service: 'a-token-of-our-services', operator: 'a-token-of-the-operator' };

/** An event, identified by its `interactionId`. */
export const event = (): InteractionCompleted => ({
  interactionId: randomUUID(),
  workspaceId: randomUUID(),
  customerId: 'c',
  completedAt: new Date(),
  botId: randomUUID(),
});

export const events = (count: number): InteractionCompleted[] => Array.from({ length: count }, event);
export const idsOf = (all: readonly InteractionCompleted[]): string[] =>
  all.map(({ interactionId }) => interactionId).toSorted();

type MaybePromise<Value> = Value | Promise<Value>;

/** How a consumer of the test begins, and where. */
interface ConsumerOptions {
  durable?: string;
  /** Whether the consumer wants the event with this `interactionId`. Without it, it wants all. */
  isWanted?: (interactionId: string) => boolean;
  /** Whether the consumer postpones the event with this `interactionId`. Without it, it postpones none. */
  isPostponed?: (interactionId: string) => boolean;
  gatherMs?: number;
  from?: 'now' | 'beginning';
  /** By default the broker's. */
  url?: string;
}

/** A producer with its database, log and broker, and consumers that record their events. */
export interface Pipeline extends AsyncDisposable {
  /** The producer's database. */
  db: Kysely<LogTables>;
  admin: SqlConnection;
  /** The superuser's URL of the producer's database. */
  adminUrl: string;
  /** A session in the consumers' database. */
  consumerAdmin: SqlConnection;
  /** The consumers' database. */
  consumers: Kysely<object>;
  log: RpcClient<EventLogServiceService>;
  /** The log as a consumer of another team reads it. */
  consumerLog: RpcClient<EventLogServiceService>;
  nats: PrivateNats;
  /** The interaction ids that each durable has handled, in order, with duplicates. */
  handled(durable?: string): string[];
  /** The events that each durable has handled. */
  received: Received<InteractionCompleted>[];
  /**
   * Called with each batch before it counts as handled. Throws to reject it. Returns the ids that are left for a share.
   */
  onBatch: (ids: string[], durable: string, isShare: boolean) => MaybePromise<string[] | void>;
  /** Called in the transaction of each batch. Throws to roll it back. */
  beforeCommit: (ids: string[]) => MaybePromise<void>;
  streams(): Promise<Streams>;
  startRelay(): AsyncDisposable & { wake(): void };
  /** One more replica of a consumer, with its own connection. It ends with the pipeline or when disposed of. */
  startConsumer(options?: ConsumerOptions): Promise<AsyncDisposable>;
  raise(all: readonly InteractionCompleted[]): Promise<void>;
  /** Makes all events of the log a minute older, so that the catch-up does not wait for the stream. */
  age(): Promise<void>;
  /** Waits until the broker has these durables: they receive what is published from then on. */
  listening(...durables: string[]): Promise<void>;
  /** Waits until the stream holds this many events. */
  onTheBus(count: number): Promise<void>;
}

/** At first only the broker, the databases and the log's service run. */
export async function startPipeline(): Promise<Pipeline> {
  await using starting = new AsyncDisposableStack();
  const nats = starting.use(await startPrivateNats());
  const database = starting.use(await createDatabase('interaction'));
  const consumerDatabase = starting.use(await createDatabase('webhook'));
  const admin = starting.use(await openSqlConnection(database.adminUrl));
  const consumerAdmin = starting.use(await openSqlConnection(consumerDatabase.adminUrl));
  const { db } = starting.use(openDatabase<LogTables>({ url: database.testUrl, logger }));
  const consumers = starting.use(openDatabase<object>({ url: consumerDatabase.testUrl, logger }));
  await createPartitionFunctions(db);
  await createEventLog(db);
  await createInbox(consumers.db);
  await extendInbox(consumers.db, { hasPartitionFunctions: false });
  const services = [eventLogService('interaction', eventLogHandlers(db, 30))];
  const running = starting.use(
    await serve({
      listen: { host: '127.0.0.1', port: 0 },
      services,
      tokens,
      logger,
      isReady: async () => true,
    }),
  );
  const peer = starting.use(connect(running.address, { token: tokens.service, caller: 'webhook' }));
  const log = peer.client(EventLogServiceService);
  const team = starting.use(connect(running.address, { token: tokens.service, caller: 'consumer' }));
  const broker = starting.use(await openBroker({ url: nats.url, logger, streamReplicas: 1 }));
  starting.use(keepStream({ broker, replicas: 1, logger }));
  const stack = starting.move();
  const streams = (): Promise<Streams> => eventually(() => broker.streams());
  const handled = new Map<string, string[]>();

  const self: Pipeline = {
    db,
    admin,
    adminUrl: database.adminUrl,
    consumerAdmin,
    consumers: consumers.db,
    log,
    consumerLog: team.client(EventLogServiceService),
    nats,
    handled: (durable = 'test') => handled.get(durable) ?? [],
    received: [],
    onBatch: () => {},
    beforeCommit: () => {},
    streams,
    startRelay: () => stack.use(startRelay({ source: 'interaction', db, broker, logger })),
    startConsumer: async (options = {}) => {
      const { durable = 'test', from = 'now', url = nats.url, isWanted, isPostponed, gatherMs } = options;
      const own = stack.use(new AsyncDisposableStack());
      const ownBroker = own.use(await openBroker({ url, logger }));
      const handleAs = (name: string): Handle<InteractionCompleted> => {
        const ids = handled.get(name) ?? [];
        handled.set(name, ids);
        return async (received, take, { isShare, leave, postpone }) => {
          const all = received.map(({ message }) => message.interactionId);
          const left = (await self.onBatch(all, name, isShare)) ?? [];
          const isLeft = ({ message }: (typeof received)[number]) => left.includes(message.interactionId);
          leave(received.filter(isLeft).map(({ id }) => id));
          const rest = received.filter((one) => !isLeft(one)).map(({ id }) => id);
          const fresh = await consumers.db.transaction().execute(async (trx) => {
            const ofTransaction = await take(trx, rest);
            const some = received.filter(
              ({ id, message }) => ofTransaction.has(id) && isPostponed?.(message.interactionId),
            );
            if (name === durable && some.length > 0)
              await postpone(
                trx,
                some.map(({ id }) => id),
              );
            await self.beforeCommit(all);
            return ofTransaction;
          });
          const taken = received.filter(({ id }) => fresh.has(id));
          self.received.push(...taken);
          ids.push(...taken.map(({ message }) => message.interactionId));
        };
      };
      own.use(
        startConsumer<InteractionCompleted, object>({
          broker: ownBroker,
          logger,
          db: consumers.db,
          durable,
          types: [interactionCompleted],
          sources: [{ name: 'interaction', log }],
          from,
          gatherMs,
          wants: isWanted && (async (given) => wantedIds(given, isWanted)),
          handle: handleAs(durable),
          ...(isPostponed && { handlePostponed: handleAs(postponedBy(durable)) }),
        }),
      );
      return own;
    },
    raise: async (all) => {
      const rows = all.map((message) => newEvent(interactionCompleted, message));
      await db.insertInto('eventLog').values(rows).execute();
    },
    age: async () => {
      await admin.query(`update interaction.event_log set raised_at = greatest(
        raised_at - interval '1 minute', date_trunc('day', raised_at at time zone 'utc') at time zone 'utc')`);
    },
    listening: async (...durables) => {
      const { manager } = await streams();
      await eventually(async () => {
        const found = await manager.consumers.list(stream.name).next();
        expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(durables));
      });
    },
    onTheBus: async (count) => {
      const { manager } = await streams();
      await eventually(async () => {
        expect((await manager.streams.info(stream.name)).state.messages).toBe(count);
      });
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
  return self;
}

function wantedIds(
  given: readonly Pick<Received<InteractionCompleted>, 'id' | 'message'>[],
  isWanted: (interactionId: string) => boolean,
): Set<string> {
  return new Set(given.filter(({ message }) => isWanted(message.interactionId)).map(({ id }) => id));
}

/** Waits until exactly these events, in sorted order, have been handled, each once. */
export async function arrived(
  pipeline: Pipeline,
  all: readonly InteractionCompleted[],
  durable?: string,
): Promise<void> {
  await eventually(() => expect(pipeline.handled(durable).toSorted()).toEqual(idsOf(all)));
}
