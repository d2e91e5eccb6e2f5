import { interactionCompleted } from '@parley/contracts/events';
import type { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import { startConfirming } from '@parley/events/confirm';
import { startConsumer } from '@parley/events/consumer';
import { openBroker } from '@parley/events/nats';
import { createOutboxTable, outboxRow, type OutboxTable } from '@parley/events/outbox';
import { startRelay } from '@parley/events/relay';
import { openDatabase } from '@parley/postgres/open';
import { createDatabase } from '@parley/testing/database';
import { eventually } from '@parley/testing/eventually';
import { startPrivateNats } from '@parley/testing/nats';
import { quietLogger as logger } from '@parley/testing/quiet';
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';

interface Tables {
  outbox: OutboxTable;
}

const event = (): InteractionCompleted => ({
  interactionId: randomUUID(),
  workspaceId: randomUUID(),
  customerId: 'c',
  body: Buffer.from('{}'),
  completedAt: new Date(),
});

async function raise(db: Kysely<Tables>, message: InteractionCompleted): Promise<void> {
  const { interactionId: id, workspaceId, customerId: subject } = message;
  const row = outboxRow(interactionCompleted, { id, workspaceId, subject, message });
  await db
    .insertInto('outbox')
    .values({ ...row, createdAt: new Date(), publishedAt: null })
    .execute();
}

/** An outbox with its relay on one side and a consumer on the other; `held` is what has arrived. */
async function line() {
  const stack = new AsyncDisposableStack();
  const nats = stack.use(await startPrivateNats());
  const database = stack.use(await createDatabase('interaction'));
  const { db } = stack.use(openDatabase<Tables>({ url: database.url, logger }));
  await createOutboxTable(db);
  const broker = stack.use(await openBroker({ url: nats.url, logger }));
  const held: string[] = [];
  let refuse = (_id: string): boolean => false;
  stack.use(
    startConsumer({
      broker,
      logger,
      type: interactionCompleted,
      durable: 'test',
      handle: async (events) => {
        const ids = events.map(({ message }) => message.interactionId);
        if (ids.some((id) => refuse(id))) throw new Error('refused');
        held.push(...ids);
      },
    }),
  );
  const relay = stack.use(startRelay({ db, broker, logger }));
  const confirm = stack.use(
    startConfirming({ db, logger, findMissing: async (ids) => ids.filter((id) => !held.includes(id)) }),
  );
  return {
    db,
    nats,
    broker,
    relay,
    confirm,
    held,
    refuseWhen: (when: typeof refuse) => {
      refuse = when;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('a committed event arrives and leaves the outbox once it is known to be held', async () => {
  await using system = await line();
  const message = event();
  await raise(system.db, message);
  system.relay.wake();
  await eventually(() => expect(system.held).toEqual([message.interactionId]));
  await sql`update outbox set published_at = now() - interval '1 minute'`.execute(system.db);
  system.confirm.wake();
  await eventually(async () =>
    expect(await system.db.selectFrom('outbox').select('eventId').execute()).toEqual([]),
  );
});

test('an event that was raised while the broker was away arrives when it is back', async () => {
  await using system = await line();
  await system.nats.stop();
  const message = event();
  await raise(system.db, message);
  system.relay.wake();
  await system.nats.start();
  await eventually(() => expect(system.held).toContain(message.interactionId), { timeoutMs: 20_000 });
});

test('events that a broker took and lost with its disk are sent again', async () => {
  await using system = await line();
  const first = event();
  await raise(system.db, first);
  system.relay.wake();
  await eventually(() => expect(system.held).toHaveLength(1));
  const lost = event();
  await raise(system.db, lost);
  await sql`update outbox set published_at = now() - interval '1 minute'`.execute(system.db);
  await system.nats.start({ wipe: true });
  system.confirm.wake();
  await eventually(() => expect(system.held).toContain(lost.interactionId), { timeoutMs: 25_000 });
});

test('one event that cannot be handled does not hold the others', async () => {
  await using system = await line();
  const bad = event();
  const good = Array.from({ length: 20 }, event);
  system.refuseWhen((id) => id === bad.interactionId);
  await raise(system.db, bad);
  for (const message of good) await raise(system.db, message);
  system.relay.wake();
  await eventually(() => expect(system.held).toHaveLength(good.length));
  system.refuseWhen(() => false);
  await eventually(() => expect(system.held).toContain(bad.interactionId));
});

test('a payload that cannot be read is dropped and the next is taken', async () => {
  await using system = await line();
  const { client } = await eventually(() => system.broker.streams());
  await client.publish(interactionCompleted.subject, Buffer.from([0xff, 0xff, 0xff]));
  const message = event();
  await raise(system.db, message);
  system.relay.wake();
  await eventually(() => expect(system.held).toEqual([message.interactionId]));
  const { manager } = await system.broker.streams();
  await eventually(async () => expect((await manager.streams.info('PARLEY')).state.messages).toBe(0));
});
