import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '@parley/testing/eventually';
import { type ReceiverAnswer, startReceiver } from '@parley/testing/peers/receiver';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { call, completed, type System, startSystem } from './system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());
// Each test begins with one replica.
beforeEach(async () => {
  if (system.running === 0) await system.startReplica();
  while (system.running > 1) await system.stopFirst();
});

async function stateOf(eventId: string) {
  return system.db
    .selectFrom('delivery')
    .where('eventId', '=', eventId)
    .select(['state', 'attempts'])
    .executeTakeFirst();
}

test('two replicas of the service deliver each event once', async () => {
  await system.startReplica();
  await using receiver = await startReceiver();
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  const events = Array.from({ length: 150 }, () => completed({ workspaceId }));
  await system.raise(events);
  const areDone = async (): Promise<void> => {
    const done = await system.db
      .selectFrom('delivery')
      .where('workspaceId', '=', workspaceId)
      .where('state', '=', 'succeeded')
      .select('eventId')
      .execute();
    expect(done).toHaveLength(events.length);
  };
  await eventually(areDone);
  expect(receiver.requests).toHaveLength(events.length);
  const ids = receiver.requests.map((request) => request.headers['webhook-id']);
  expect(new Set(ids).size).toBe(events.length);
});

test('an attempt that dies with its process is repeated by another replica, with the same id', async () => {
  let isHanging = true;
  await using receiver = await startReceiver(() => (isHanging ? 'hang' : { status: 200 }));
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  await system.stopFirst();

  const main = join(import.meta.dirname, '../src/main.ts');
  const child = spawn(process.execPath, [main], { env: { ...process.env, ...system.env }, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const event = completed({ workspaceId });
  await system.raise([event]);
  await eventually(async () => {
    const open = system.db.selectFrom('openDelivery').where('eventId', '=', event.id);
    expect(await open.where('claimedBy', 'is not', null).select('id').execute()).toHaveLength(1);
  });
  child.kill('SIGKILL');
  await exited;
  expect(receiver.requests).toHaveLength(1);
  expect(await stateOf(event.id)).toEqual({ state: 'pending', attempts: 0 });

  isHanging = false;
  await system.startReplica();
  await eventually(async () => {
    expect(await stateOf(event.id)).toEqual({ state: 'succeeded', attempts: 1 });
  });
  expect(receiver.requests).toHaveLength(2);
  const [first, second] = receiver.requests;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.headers['x-parley-attempt']).toBe('1');
  expect(second?.body.equals(event.body)).toBe(true);
});

test('stopping waits for attempts in flight and records them', async () => {
  const answering = Promise.withResolvers<ReceiverAnswer>();
  await using receiver = await startReceiver(() => answering.promise);
  const event = completed();
  await system.createWebhook({ workspaceId: event.workspaceId, url: receiver.url });
  await system.raise([event]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const stopped = system.stopFirst();
  answering.resolve({ status: 200 });
  await stopped;
  expect(await stateOf(event.id)).toEqual({ state: 'succeeded', attempts: 1 });
});

test('attempts that a stopping replica aborts are made by another one, and are not counted', async () => {
  let isHanging = true;
  await using receiver = await startReceiver(() => (isHanging ? 'hang' : { status: 200 }));
  const event = completed();
  await system.createWebhook({ workspaceId: event.workspaceId, url: receiver.url });
  await system.raise([event]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  isHanging = false;
  await system.startReplica();
  await system.stopFirst();
  await eventually(async () => {
    expect(await stateOf(event.id)).toMatchObject({ state: 'succeeded', attempts: 1 });
  });
});

test('events from before and after a restart of the broker arrive once each', async () => {
  await using receiver = await startReceiver();
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  const before = completed({ workspaceId });
  await system.raise([before]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  await system.nats.stop();
  const meanwhile = completed({ workspaceId });
  await system.raise([meanwhile]);
  await system.nats.start();
  const after = completed({ workspaceId });
  await system.raise([after]);
  await eventually(() => expect(receiver.requests).toHaveLength(3));
});

test('retries go on while the broker is unavailable', async () => {
  const answering = Promise.withResolvers<ReceiverAnswer>();
  await using receiver = await startReceiver((_request, index) =>
    index === 0 ? answering.promise : { status: 200 },
  );
  const event = completed();
  await system.createWebhook({ workspaceId: event.workspaceId, url: receiver.url });
  await system.raise([event]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  await system.nats.stop();
  answering.resolve({ status: 500 });
  await eventually(async () =>
    expect(await stateOf(event.id)).toMatchObject({ state: 'succeeded', attempts: 2 }),
  );
  await system.nats.start();
});

test('events that the broker loses with its disk are delivered from the log', async () => {
  await using receiver = await startReceiver();
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  await system.stopFirst();
  const lost = completed({ workspaceId });
  await system.raise([lost]);
  await system.onTheBus(lost);
  await system.nats.start({ wipe: true });
  await system.age();
  await system.startReplica();
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  expect(receiver.requests[0]?.body.equals(lost.body)).toBe(true);
});

test('an event from before the service has found its place in the log is delivered', async () => {
  await using receiver = await startReceiver();
  const event = completed();
  await system.createWebhook({ workspaceId: event.workspaceId, url: receiver.url });
  await system.stopFirst();
  await system.nats.start({ wipe: true });
  await sql`delete from inbox_cursor`.execute(system.db);
  await system.raise([event]);
  await system.onTheBus(event);
  await system.age();
  await system.startReplica();
  await eventually(() => expect(receiver.requests).toHaveLength(1));
});

test('a result is recorded although every connection to the database died during the attempt', async () => {
  const answering = Promise.withResolvers<ReceiverAnswer>();
  await using receiver = await startReceiver(() => answering.promise);
  const event = completed();
  await system.createWebhook({ workspaceId: event.workspaceId, url: receiver.url });
  await system.raise([event]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const admin = new pg.Client({ connectionString: system.adminUrl });
  await admin.connect();
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await admin.end();
  answering.resolve({ status: 200 });
  await eventually(async () => {
    expect(await stateOf(event.id)).toEqual({ state: 'succeeded', attempts: 1 });
  });
  expect(receiver.requests).toHaveLength(1);
});

test('concurrent changes of a webhook, results, events and bodies cause no deadlock and leave nothing due', async () => {
  await system.startReplica();
  await using receiver = await startReceiver((_request, index) => ({ status: index % 3 === 0 ? 500 : 200 }));
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const events = Array.from({ length: 400 }, () => completed({ workspaceId }));
  const raising = (async () => {
    for (let from = 0; from < events.length; from += 20) await system.raise(events.slice(from, from + 20));
  })();
  for (let change = 0; change < 60; change += 1) {
    await system.client.updateWebhook({ workspaceId, id, isActive: change % 2 === 1 }, call);
    const redacted = { body: Buffer.from(`{"change":${change}}`), customerVersion: change + 1 };
    const interactionIds = events.map(({ interactionId }) => interactionId);
    for (const id of interactionIds) system.interactions.bodies.set(id, redacted);
    const { customerVersion } = redacted;
    const page = interactionIds.slice(change * 6, change * 6 + 20);
    const customer = { workspaceId, customerId: 'c-1', customerVersion };
    await system.client.redactEvents({ ...customer, interactionIds: page }, call);
  }
  await raising;
  await system.taken(events);
  await system.client.updateWebhook({ workspaceId, id, isActive: false }, call);
  const deliveries = system.db.selectFrom('delivery').where('workspaceId', '=', workspaceId);
  expect(await deliveries.where('state', '=', 'pending').select('id').execute()).toEqual([]);
  // Attempts that are in flight are added to the log when they end.
  await system.stopFirst();
  await system.stopFirst();
  const { rows } = await sql<{ wrong: number }>`
    select count(*)::int as wrong from delivery
    where workspace_id = ${workspaceId}
      and attempts <> (select count(*) from every_attempt where every_attempt.delivery_id = delivery.id)`.execute(
    system.db,
  );
  expect(rows).toEqual([{ wrong: 0 }]);
});
