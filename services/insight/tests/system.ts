import {
  type EventType,
  interactionCompleted,
  interactionCreated,
  interactionDeleted,
  stream,
} from '@parley/contracts/events';
import { EventLogServiceService } from '@parley/contracts/events/v1/log';
import { InsightServiceService } from '@parley/contracts/insight/v1/insight';
import {
  type ConversationFacts,
  FactsServiceService,
  type KnownConversation,
} from '@parley/contracts/interaction/v1/facts';
import { createEventLog, type LogTables, type NewEvent, newEvent } from '@parley/events/log';
import { eventLogHandlers } from '@parley/events/log-service';
import { openBroker } from '@parley/events/nats';
import { startRelay } from '@parley/events/relay';
import { keepStream } from '@parley/events/stream-upkeep';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createPartitionFunctions } from '@parley/postgres/schema/partitions';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import type { Handlers, RpcClient } from '@parley/rpc/definition';
import { serve, service } from '@parley/rpc/serve';
import { connectAsCallers, grantKeysService } from '@parley/testing/peers/callers';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { type PrivateNats, startPrivateNats } from '@parley/testing/servers/nats';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { readConfig } from '../src/config.ts';
import { migrations } from '../src/migrations/index.ts';
import type { FactsClient } from '../src/counting/facts.ts';
import type { LogClient } from '../src/rounds/round.ts';
import type { Db, Tables } from '../src/schema.ts';
import { start } from '../src/service.ts';
import { type Change, recount } from './conversations.ts';
import { countersOf } from './counters.ts';

const tokens = { service: 'a service token of a test', operator: 'an operator token of a test' };
/** Every call belongs to a request. */
export const call = { requestId: 'test', timeoutMs: 30_000 };

/** The interaction service as far as insight calls it, with conversations in memory. */
export interface Interactions {
  /** The present facts by the id of the interaction. */
  facts: Map<string, ConversationFacts>;
  /** The number of the transaction that has changed each. It has none from before the first change. */
  transactions: Map<string, number>;
  /** The database server. */
  server: string;
  /** What is asked: calls, and the conversations that they are about. */
  asked: { changes: number; facts: number; conversations: number };
  /** Saves changes and raises their events, whose relay publishes them. */
  change(changes: readonly Change[]): Promise<void>;
  /** Raises the events of deletions. */
  remove(removed: readonly ConversationFacts[]): Promise<void>;
  /** Raises all events once more, under the same ids. */
  replay(): Promise<void>;
  /** Raises an event of a workspace that nobody can decode. */
  raiseBroken(workspaceId: string): Promise<void>;
  /** Makes all events a minute older, so that the catch-up does not wait for the stream. */
  age(): Promise<void>;
  /** Waits until the stream has a durable consumer. */
  subscribed(): Promise<void>;
  /** Called when facts were read, before the answer is sent. */
  onFacts: (of: readonly KnownConversation[]) => void | Promise<void>;
  /** Called when a page of all facts was read, before the answer is sent. */
  onScan: () => void | Promise<void>;
  /** Called when the event log was read, before the answer is sent. */
  onLog: () => void | Promise<void>;
}

/** The insight service with its own broker and database, without a replica at first. */
export interface System extends AsyncDisposable {
  interactions: Interactions;
  /** The facts of `interactions`, over gRPC. */
  facts: FactsClient;
  /** Its event log, over gRPC. */
  log: LogClient;
  nats: PrivateNats;
  db: Db;
  /** A superuser's session in the service's database. */
  admin: SqlConnection;
  startReplica(): Promise<RpcClient<InsightServiceService>>;
  /** Stops the oldest running replica. */
  stopFirst(): Promise<void>;
  /** Returns until when the figures have everything; undefined before the first build has ended. */
  asOf(): Promise<Date | undefined>;
  /** Waits until the first build has ended. */
  live(): Promise<void>;
  /** Waits until the counters equal a recount. */
  countedAll(): Promise<void>;
}

/** Starts everything around the service. */
export async function startSystem(): Promise<System> {
  await using starting = new AsyncDisposableStack();
  const [nats, database] = await Promise.all([startPrivateNats(), createDatabase('insight', migrations)]);
  starting.use(nats);
  starting.use(database);
  const { db } = starting.use(openDatabase<Tables>({ url: database.testUrl, logger, connectionsMax: 4 }));
  const admin = starting.use(await openSqlConnection(database.adminUrl));
  const { address, interactions } = starting.use(await startInteractions(nats.url));
  const config = readConfig({
    LISTEN: '127.0.0.1:0',
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    IDENTITY_ADDRESS: address,
    INTERACTION_ADDRESS: address,
    RPC_TOKEN: tokens.service,
    OPERATOR_TOKEN: tokens.operator,
  });
  const peer = starting.use(connectAsCallers(address, { token: tokens.service }));
  const replicas: AsyncDisposable[] = [];
  starting.defer(async () => {
    for (const replica of replicas) await replica[Symbol.asyncDispose]();
  });
  const stack = starting.move();
  const asOf = async (): Promise<Date | undefined> => {
    const rows = await admin.query<{ as_of: Date | null }>('select as_of from insight.freshness');
    return rows[0]?.as_of ?? undefined;
  };
  return {
    interactions,
    facts: peer.client(FactsServiceService),
    log: peer.client(EventLogServiceService),
    nats,
    db,
    admin,
    startReplica: async () => {
      const replica = new AsyncDisposableStack();
      replicas.push(replica);
      const running = replica.use(await start(config, logger));
      const client = replica.use(connectAsCallers(running.address, { token: tokens.operator }));
      return client.client(InsightServiceService);
    },
    stopFirst: async () => replicas.shift()?.[Symbol.asyncDispose](),
    asOf,
    live: () => eventually(async () => expect(await asOf()).toBeDefined()),
    countedAll: () =>
      // A comparison of thousands of counters holds up the replicas, which run in this process.
      eventually(async () => expect(await countersOf(db)).toEqual(recount(interactions.facts.values())), {
        everyMs: 500,
      }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Starts the interaction service of the test: its log, its relay and its facts. */
async function startInteractions(natsUrl: string) {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await createDatabase('interaction'));
  const { db } = starting.use(openDatabase<LogTables>({ url: database.testUrl, logger, connectionsMax: 3 }));
  await createPartitionFunctions(db);
  await createEventLog(db);
  // Events that a test makes older may be of yesterday.
  await sql`select make_partition('event_log', (now() at time zone 'utc')::date - 1)`.execute(db);
  const log = eventLogHandlers(db, 30);
  const all = acrossWorkspaces('a test is about all events');
  const eventOf = (event: EventType, { workspaceId, interactionId }: ConversationFacts): NewEvent => {
    const ids = { workspaceId, interactionId, customerId: 'c-1' };
    const completedAt = event.subject === interactionCompleted.subject ? new Date() : undefined;
    const message = { ...ids, status: 'Pending', lastStepId: '', reason: 'clock', completedAt };
    return newEvent(event as EventType<typeof message>, message);
  };
  const raise = async (rows: NewEvent[]): Promise<void> => {
    if (rows.length > 0) await db.insertInto('eventLog').values(rows).execute();
    relay.wake();
  };
  let transaction = 0;
  const interactions: Interactions = {
    facts: new Map(),
    transactions: new Map(),
    server: 'one',
    asked: { changes: 0, facts: 0, conversations: 0 },
    onFacts: () => {},
    onScan: () => {},
    onLog: () => {},
    change: async (changes) => {
      transaction += 1;
      for (const { facts } of changes) {
        interactions.facts.set(facts.interactionId, facts);
        interactions.transactions.set(facts.interactionId, transaction);
      }
      await raise(changes.flatMap(({ facts, event }) => (event ? [eventOf(event, facts)] : [])));
    },
    remove: async (removed) => {
      for (const { interactionId } of removed) interactions.facts.delete(interactionId);
      await raise(removed.map((facts) => eventOf(interactionDeleted, facts)));
    },
    replay: async () => {
      await sql`
        ${all}
        insert into event_log (id, type, workspace_id, about, payload)
        select id, type, workspace_id, about, payload from event_log`.execute(db);
      relay.wake();
    },
    raiseBroken: (workspaceId) =>
      raise([
        {
          ...newEvent(interactionCreated, {
            workspaceId,
            interactionId: uuidv7(),
            customerId: 'c-1',
            status: 'Pending',
          }),
          payload: Buffer.from([0xff]),
        },
      ]),
    age: async () => {
      await sql`${all} update event_log set raised_at = raised_at - interval '1 minute'`.execute(db);
    },
    subscribed: () =>
      eventually(async () => {
        const { manager } = await broker.streams();
        await manager.consumers.info(stream.name, 'insight');
      }),
  };
  const running = starting.use(
    await serve({
      listen: { host: '127.0.0.1', port: 0 },
      services: [
        grantKeysService(),
        service(EventLogServiceService, {
          listEvents: async (request) => {
            const answer = await log.listEvents(request);
            await interactions.onLog();
            return answer;
          },
        }),
        service(FactsServiceService, factsHandlers(interactions)),
      ],
      tokens,
      logger,
      isReady: async () => true,
    }),
  );
  const broker = starting.use(await openBroker({ url: natsUrl, logger, streamReplicas: 1 }));
  starting.use(keepStream({ broker, replicas: 1, logger }));
  const relay = starting.use(startRelay({ source: 'interaction', db, broker, logger }));
  const stack = starting.move();
  return { address: running.address, interactions, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Returns the RPCs about the facts in memory. */
function factsHandlers(interactions: Interactions): Handlers<typeof FactsServiceService> {
  const { facts: all, transactions, asked } = interactions;
  const horizonNow = (): number => Math.max(0, ...transactions.values()) + 1;
  const transactionOf = (id: string): number => transactions.get(id) ?? 0;
  return {
    listConversationFacts: async ({ conversations }) => {
      asked.facts += 1;
      asked.conversations += conversations.length;
      const [horizon, { server }] = [horizonNow(), interactions];
      const facts = conversations.flatMap(({ interactionId, version, isStalled }) => {
        const found = all.get(interactionId);
        return found && (found.version !== version || found.isStalled !== isStalled) ? [found] : [];
      });
      const missingIds = conversations.flatMap(({ interactionId }) =>
        all.has(interactionId) ? [] : [interactionId],
      );
      await interactions.onFacts(conversations);
      return { facts, missingIds, horizon, server };
    },
    listChangedConversations: async ({ places, limit }) => {
      asked.changes += 1;
      const horizon = horizonNow();
      const conversations = places.flatMap(({ workspaceId, transaction, interactionId: after }) =>
        [...all.values()]
          .filter((one) => one.workspaceId === workspaceId)
          .map(({ interactionId, version }) => {
            return { workspaceId, interactionId, version, transaction: transactionOf(interactionId) };
          })
          .filter(
            (one) =>
              one.transaction > transaction || (one.transaction === transaction && one.interactionId > after),
          )
          .toSorted(
            (one, other) =>
              one.transaction - other.transaction || (one.interactionId < other.interactionId ? -1 : 1),
          )
          .slice(0, limit),
      );
      return { conversations, horizon, next: horizon, server: interactions.server };
    },
    scanConversationFacts: async ({ after, limit }) => {
      const [horizon, { server }] = [horizonNow(), interactions];
      const ids = [...all.keys()].filter((id) => id > after).toSorted();
      const page = ids.slice(0, limit).flatMap((id) => all.get(id) ?? []);
      await interactions.onScan();
      const total = after === '' ? all.size : 0;
      return { facts: page, hasMore: ids.length > limit, total, horizon, server };
    },
  };
}
