import { headers } from '@nats-io/transport-node';
import { interactionCompleted, stream } from '@parley/contracts/events';
import type { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import { startReconciliation } from '@parley/events/reconciliation';
import { type Received, startConsumer } from '@parley/events/consumer';
import { openBroker, type Streams } from '@parley/events/nats';
import { createOutboxTable, outboxRow, type OutboxTable } from '@parley/events/outbox';
import { startRelay } from '@parley/events/relay';
import { sentAtHeader } from '@parley/events/stream';
import { openDatabase } from '@parley/postgres/open';
import { createDatabase } from '@parley/testing/database';
import { eventually } from '@parley/testing/eventually';
import { type PrivateNats, startPrivateNats } from '@parley/testing/nats';
import { quietLogger } from '@parley/testing/quiet';
import { openSqlSession, type SqlSession } from '@parley/testing/sql';
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';

interface Tables {
  outbox: OutboxTable;
}

const { subject } = interactionCompleted;
export const logger = quietLogger;

/** An event, identified by its `interactionId`. */
export const event = (): InteractionCompleted => ({
  interactionId: randomUUID(),
  workspaceId: randomUUID(),
  customerId: 'c',
  completedAt: new Date(),
});

export const events = (count: number): InteractionCompleted[] => Array.from({ length: count }, event);
export const idsOf = (all: InteractionCompleted[]): string[] =>
  all.map(({ interactionId }) => interactionId).toSorted();

/** A sender's database and broker, and a receiver that records its events. */
export interface Pipeline extends AsyncDisposable {
  db: Kysely<Tables>;
  admin: SqlSession;
  nats: PrivateNats;
  /** Ids in the order of handling, with duplicates. */
  handled: string[];
  /** The times when these events were raised, from their messages. */
  raisedAt: Map<string, Date | undefined>;
  /** The ids that the receiver confirms. */
  held: Set<string>;
  /** Called with each batch before it counts as handled. Throws to reject it. */
  onBatch: (ids: string[]) => void | Promise<void>;
  /** The batches of ids that the receiver was asked for. */
  asked: string[][];
  /** Called with each of them before the receiver answers. */
  onQuestion: () => void | Promise<void>;
  streams(): Promise<Streams>;
  startRelay(): { wake(): void };
  /**
   * One more replica of the receiver, with its own connection, by default to the broker. It ends with the
   * pipeline or when disposed of.
   */
  startConsumer(url?: string): Promise<AsyncDisposable>;
  startReconciliation(): { wake(): void };
  raise(all: InteractionCompleted[]): Promise<void>;
  /** Adds events to outbox and stream as if they had been sent a minute ago. */
  raiseAsSent(all: InteractionCompleted[]): Promise<void>;
  /** Makes the published events a minute older, without a wait. */
  age(): Promise<void>;
  outbox(): Promise<{ eventId: string; publishedAt: Date | null }[]>;
  /** Waits until the broker holds this many events. */
  onTheBus(count: number, timeoutMs?: number): Promise<void>;
}

/** At first only the broker and the database run. */
export async function startPipeline(): Promise<Pipeline> {
  await using starting = new AsyncDisposableStack();
  const nats = starting.use(await startPrivateNats());
  const database = starting.use(await createDatabase('interaction'));
  const admin = starting.use(await openSqlSession(database.adminUrl));
  const { db } = starting.use(openDatabase<Tables>({ url: database.testUrl, logger }));
  await createOutboxTable(db);
  const broker = starting.use(await openBroker({ url: nats.url, logger }));
  const held = new Set<string>();
  const stack = starting.move();

  const insert = async (all: InteractionCompleted[], publishedAt: Date | null): Promise<void> => {
    const rows = all.map((message) => {
      const { interactionId: id, workspaceId } = message;
      const row = outboxRow(interactionCompleted, { id, workspaceId, message });
      return { ...row, createdAt: new Date(), publishedAt };
    });
    await db.insertInto('outbox').values(rows).execute();
  };
  const streams = (): Promise<Streams> => eventually(() => broker.streams());

  const self: Pipeline = {
    db,
    admin,
    nats,
    handled: [],
    raisedAt: new Map(),
    held,
    onBatch: () => {},
    asked: [],
    onQuestion: () => {},
    streams,
    startRelay: () => stack.use(startRelay({ db, broker, logger })),
    startConsumer: async (url = nats.url) => {
      const own = stack.use(new AsyncDisposableStack());
      const ownBroker = own.use(await openBroker({ url, logger }));
      const handle = async (received: Received<InteractionCompleted>[]): Promise<void> => {
        const ids = received.map(({ message }) => message.interactionId);
        await self.onBatch(ids);
        for (const id of ids) held.add(id);
        for (const { message, raisedAt } of received) self.raisedAt.set(message.interactionId, raisedAt);
        self.handled.push(...ids);
      };
      own.use(
        startConsumer({
          broker: ownBroker,
          logger,
          type: interactionCompleted,
          durable: 'test',
          handle,
        }),
      );
      return own;
    },
    startReconciliation: () => {
      const findMissing = async (ids: string[]): Promise<string[]> => {
        self.asked.push(ids);
        const missing = ids.filter((id) => !held.has(id));
        await self.onQuestion();
        return missing;
      };
      return stack.use(startReconciliation({ db, broker, logger, subject, findMissing }));
    },
    raise: (all) => insert(all, null),
    raiseAsSent: async (all) => {
      const sentAt = new Date(Date.now() - 60_000);
      await insert(all, sentAt);
      const { client } = await streams();
      for (const message of all) {
        const carried = headers();
        carried.set(sentAtHeader, sentAt.toISOString());
        const payload = interactionCompleted.message.encode(message).finish();
        await client.publish(subject, payload, { headers: carried });
      }
    },
    age: async () => {
      await sql`update outbox set published_at = published_at - interval '1 minute'`.execute(db);
    },
    outbox: () => db.selectFrom('outbox').select(['eventId', 'publishedAt']).execute(),
    onTheBus: async (count, timeoutMs = 10_000) => {
      const { manager } = await streams();
      await eventually(
        async () => expect((await manager.streams.info(stream.name)).state.messages).toBe(count),
        { timeoutMs },
      );
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
  return self;
}

/** Waits until exactly these events, in sorted order, have been handled, each once. */
export async function arrived({ handled }: Pipeline, ids: string[], timeoutMs = 20_000): Promise<void> {
  await eventually(() => expect(handled.toSorted()).toEqual(ids), { timeoutMs });
}
