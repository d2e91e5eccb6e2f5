import { randomUUID } from 'node:crypto';
import { interactionCompleted, interactionDeleted } from '@parley/contracts/events';
import { inboxOf } from '@parley/events/inbox';
import { newEvent } from '@parley/events/log';
import { eventLogHandlers } from '@parley/events/log-service';
import { eventually } from '@parley/testing/eventually';
import { type ReceiverAnswer, type ReceivedRequest, startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { durable } from '../src/intake/kinds.ts';
import { listUndelivered } from '../src/intake/undelivered.ts';
import { incoming, setOptions, storeEvents } from './lanes/lanes.ts';
import { oneWaits } from './lanes/locks.ts';
import { call, type Completed, completed, type System, startSystem } from './system.ts';

// Nothing about a deleted interaction is stored or sent, but the ids and times of its deliveries.

const body = Buffer.from('{"name":"Ada Lovelace"}');

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());
beforeEach(() => {
  system.interactions.onAnswer = () => {};
});

/** A workspace with one active webhook and its receiver. */
async function subscription(
  respond?: (request: ReceivedRequest, index: number) => ReceiverAnswer | Promise<ReceiverAnswer>,
) {
  const receiver = await startReceiver(respond);
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  return { ...receiver, id, workspaceId };
}

type About = Pick<Completed, 'workspaceId' | 'interactionId' | 'customerId'>;

const aboutOf = ({ workspaceId, interactionId, customerId }: About) => ({
  workspaceId,
  interactionId,
  customerId,
});

/** Deletes the interaction, like the interaction service: its body is gone, and an event says so. */
async function raiseDeletion(event: About): Promise<void> {
  system.interactions.bodies.set(event.interactionId, { body: Buffer.of(), customerVersion: 0 });
  const deletion = newEvent(interactionDeleted, aboutOf(event));
  await system.raiseAny([deletion]);
  await system.taken([deletion]);
}

/** Deletes the interactions of these events and calls `RedactEvents`, as the deletion of a customer does. */
async function remove(events: readonly About[]): Promise<number> {
  const { workspaceId = '', customerId = '' } = events[0] ?? {};
  const interactionIds = events.map(({ interactionId }) => interactionId);
  for (const id of interactionIds) {
    // Without one, the interaction service has none either.
    if (system.interactions.bodies.has(id))
      system.interactions.bodies.set(id, { body: Buffer.of(), customerVersion: 0 });
  }
  const request = { workspaceId, customerId, interactionIds, customerVersion: 2 };
  return (await system.client.redactEvents(request, call)).eventsRemoved;
}

const storedOf = (workspaceId: string) =>
  system.db
    .selectFrom('event')
    .where('workspaceId', '=', workspaceId)
    .select(['id', 'data', 'extra', 'result'])
    .execute();

const emptied = ({ id }: Completed) => ({ id, data: Buffer.of(), extra: '{}', result: null });

const deliveriesOf = (workspaceId: string) =>
  system.db
    .selectFrom('delivery')
    .where('workspaceId', '=', workspaceId)
    .select(['eventId', 'state', 'attempts'])
    .execute();

const excerptsOf = async (workspaceId: string) => {
  const attempts = system.db.selectFrom('everyAttempt').where('workspaceId', '=', workspaceId);
  return (await attempts.select('responseExcerpt').execute()).map(({ responseExcerpt }) => responseExcerpt);
};

const all = { states: [], cursor: '', limit: 10, since: null, until: null };

test('bodies and answers are gone, open deliveries are discarded, and the log keeps ids and times', async () => {
  const secondAnswer = Promise.withResolvers<ReceiverAnswer>();
  const answers: (ReceiverAnswer | Promise<ReceiverAnswer>)[] = [
    { status: 500, body: 'Ada Lovelace' },
    secondAnswer.promise,
  ];
  await using hook = await subscription((_request, index) => answers[index] ?? { status: 200 });
  const { workspaceId } = hook;
  const event = completed({ workspaceId, body });
  await system.raise([event]);
  await eventually(() => expect(hook.requests).toHaveLength(2));

  await raiseDeletion(event);

  expect(await storedOf(workspaceId)).toEqual([emptied(event)]);
  expect(await deliveriesOf(workspaceId)).toEqual([{ eventId: event.id, state: 'discarded', attempts: 1 }]);
  // The outcome of the attempt in flight is not stored either.
  secondAnswer.resolve({ status: 500, body: 'Ada Lovelace' });
  const next = completed({ workspaceId });
  await system.raise([next]);
  await eventually(async () => expect(await deliveriesOf(workspaceId)).toHaveLength(2));
  await eventually(() => expect(hook.requests).toHaveLength(3));
  expect((await excerptsOf(workspaceId)).filter((excerpt) => excerpt?.includes('Ada'))).toEqual([]);
  const { deliveries } = await system.deliveries.listDeliveries(
    { ...all, workspaceId, webhookId: hook.id, interactionId: event.interactionId },
    call,
  );
  expect(deliveries).toMatchObject([
    { eventId: event.id, interactionId: event.interactionId, state: 'discarded' },
  ]);
});

test('an event whose body was read before the deletion and is stored after it is not stored', async () => {
  await using hook = await subscription();
  const event = completed({ workspaceId: hook.workspaceId, body });
  const [read, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  system.interactions.onAnswer = async () => {
    system.interactions.onAnswer = () => {};
    read.resolve();
    await release.promise;
  };
  await system.raise([event]);
  await read.promise;
  expect(await remove([event])).toBe(0);
  release.resolve();
  await system.taken([event]);
  expect(await storedOf(hook.workspaceId)).toEqual([]);
  expect(hook.requests).toEqual([]);
});

test('a deletion waits for events that are being stored, and removes their bodies', async () => {
  await using session = await openSqlConnection(system.adminUrl);
  await using hook = await subscription();
  const event = { ...incoming(hook), result: body };
  const trx = await system.db.startTransaction().execute();
  await storeEvents(trx, [event]);
  const removing = remove([event]);
  await oneWaits(session);
  await trx.commit().execute();
  expect(await removing).toBe(1);
  expect(await storedOf(hook.workspaceId)).toMatchObject([{ data: Buffer.of(), result: null }]);
});

test('a deletion that waits for the lane holds no delivery, whose outcome the lane may wait for', async () => {
  await using session = await openSqlConnection(system.adminUrl);
  const held = Promise.withResolvers<ReceiverAnswer>();
  await using hook = await subscription(() => held.promise);
  const event = completed({ workspaceId: hook.workspaceId, body });
  await system.raise([event]);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  await session.query('begin');
  await session.query('select from webhook.lane where webhook_id = $1 for update', [hook.id]);
  const removing = remove([event]);
  await oneWaits(session);
  await session.query('select from webhook.open_delivery where webhook_id = $1 for update nowait', [hook.id]);
  await session.query('commit');
  expect(await removing).toBe(1);
  held.resolve({ status: 200 });
});

test('a late event, one that is raised again and a repeated deletion bring nothing back', async () => {
  await using hook = await subscription();
  const { workspaceId } = hook;
  const event = completed({ workspaceId, body });
  await system.raise([event]);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  await raiseDeletion(event);
  const late = completed({ ...aboutOf(event), body });
  await system.raise([event, late]);
  await system.taken([late]);
  await raiseDeletion(event);
  for (let times = 0; times < 2; times += 1) expect(await remove([event])).toBe(1);
  // As release 0.2.0 calls it.
  const { customerId, interactionId } = event;
  const of = { workspaceId, customerId, interactionIds: [interactionId] };
  expect(await system.client.removeEvents(of, call)).toEqual({ eventsRemoved: 1 });
  expect(await storedOf(workspaceId)).toEqual([emptied(event)]);
  expect(hook.requests).toHaveLength(1);
});

test('a consumer that was restored from before the deletion brings nothing back', async () => {
  await using hook = await subscription();
  const { workspaceId } = hook;
  const event = completed({ workspaceId, body });
  await system.raise([event]);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  await raiseDeletion(event);
  await using session = await openSqlConnection(system.adminUrl);
  // As if it had handled none of these events, and never noted the deletion.
  await session.query(`delete from webhook.event where workspace_id = '${workspaceId}'`);
  await session.query(`delete from webhook.deleted_interaction where workspace_id = '${workspaceId}'`);
  await session.query('delete from webhook.handled_event');
  await session.query("update webhook.inbox_cursor set cursor = '' where source = 'interaction'");
  await system.age();
  await system.taken([event]);
  expect(await storedOf(workspaceId)).toEqual([]);
  expect(hook.requests).toHaveLength(1);
});

test('a retry is refused, and a recovery leaves the delivery alone', async () => {
  await using hook = await subscription();
  const { workspaceId } = hook;
  const event = completed({ workspaceId, body });
  await system.raise([event]);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  await eventually(async () =>
    expect(await deliveriesOf(workspaceId)).toMatchObject([{ state: 'succeeded' }]),
  );
  await raiseDeletion(event);
  const of = { workspaceId, webhookId: hook.id };
  const { deliveries } = await system.deliveries.listDeliveries({ ...all, ...of }, call);
  const id = deliveries[0]?.id ?? '';
  const retrying = system.deliveries.retryDelivery({ ...of, id }, call);
  await expect(retrying).rejects.toMatchObject({ code: 'failed_precondition', type: 'event-expired' });
  await system.db
    .updateTable('finishedDelivery')
    .set({ state: 'failed' })
    .where('workspaceId', '=', workspaceId)
    .execute();
  const since = new Date(Date.now() - 3_600_000);
  const request = { ...of, since, until: null, states: [], idempotency: null };
  const { recovery } = await system.deliveries.startRecovery(request, call);
  await eventually(async () => {
    const found = await system.deliveries.getRecovery({ ...of, id: recovery?.id ?? '' }, call);
    expect(found).toMatchObject({ state: 'done', recovered: 0 });
  });
  expect(hook.requests).toHaveLength(1);
});

test('the next delivery of a customer follows when the one before is discarded', async () => {
  const first = Promise.withResolvers<ReceiverAnswer>();
  await using hook = await subscription((_request, index) => (index === 0 ? first.promise : { status: 200 }));
  const { workspaceId } = hook;
  await setOptions(system.db, hook, { ordering: 'perCustomer' });
  const [deleted, next] = [completed({ workspaceId, body }), completed({ workspaceId })];
  await system.raise([deleted]);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  await system.raise([next]);
  await eventually(async () => expect(await deliveriesOf(workspaceId)).toHaveLength(2));
  await raiseDeletion(deleted);
  first.resolve({ status: 500 });
  await eventually(async () =>
    expect((await deliveriesOf(workspaceId)).map(({ state }) => state).toSorted()).toEqual([
      'discarded',
      'succeeded',
    ]),
  );
});

test('an anonymisation that finds an interaction deleted removes its bodies and sends none', async () => {
  await using hook = await subscription(() => ({ status: 500 }));
  const { workspaceId } = hook;
  const event = completed({ workspaceId, body });
  await system.raise([event]);
  await eventually(() => expect(hook.requests.length).toBeGreaterThan(0));
  system.interactions.bodies.set(event.interactionId, { body: Buffer.of(), customerVersion: 0 });
  const { customerId, interactionId } = event;
  const request = { workspaceId, customerId, interactionIds: [interactionId], customerVersion: 2 };
  await system.client.redactEvents(request, call);
  expect(await storedOf(workspaceId)).toEqual([emptied(event)]);
  expect(hook.requests.every((sent) => sent.body.length > 0)).toBe(true);
  expect((await deliveriesOf(workspaceId)).some(({ state }) => state === 'pending')).toBe(false);
});

test("no workspace can remove the body of another's event, or keep it out", async () => {
  await using hook = await subscription();
  const { workspaceId } = hook;
  const interactionId = randomUUID();
  const foreign = { workspaceId: randomUUID(), interactionId, customerId: 'c-1' };
  expect(await remove([foreign])).toBe(0);
  const event = completed({ workspaceId, interactionId, body });
  await system.raise([event]);
  await eventually(() => expect(hook.requests).toHaveLength(1));
  expect(await remove([foreign])).toBe(0);
  expect(await storedOf(workspaceId)).toMatchObject([{ id: event.id, result: body }]);
});

test('interactions with open deliveries are kept, and all of them while events are unread', async () => {
  const held = Promise.withResolvers<ReceiverAnswer>();
  await using hook = await subscription((_request, index) => (index === 0 ? { status: 200 } : held.promise));
  const { workspaceId } = hook;
  const [open, done] = [completed({ workspaceId }), completed({ workspaceId })];
  await system.raise([done]);
  await eventually(async () =>
    expect(await deliveriesOf(workspaceId)).toMatchObject([{ state: 'succeeded' }]),
  );
  await system.raise([open]);
  await eventually(() => expect(hook.requests).toHaveLength(2));
  const interactionIds = [open.interactionId, done.interactionId];
  const ask = (latestChangeAt: Date) =>
    system.client.listUndelivered({ workspaceId, interactionIds, latestChangeAt }, call);
  // The log is read seconds after the stream.
  expect(await ask(new Date())).toEqual({ interactionIds: [], isBehind: true });
  await eventually(async () =>
    expect(await ask(new Date(Date.now() - 60_000))).toEqual({
      interactionIds: [open.interactionId],
      isBehind: false,
    }),
  );
  held.resolve({ status: 200 });
});

test('an interaction is kept whose event stops waiting, and becomes a delivery, while that is asked', async () => {
  const held = Promise.withResolvers<ReceiverAnswer>();
  await using hook = await subscription(() => held.promise);
  await using removal = await openSqlConnection(system.adminUrl);
  const { workspaceId } = hook;
  const event = completed({ workspaceId });
  await removal.query(`begin; select pg_advisory_xact_lock(webhook.fence_key('${workspaceId}', 'c-1'))`);
  await system.raise([event]);
  const inbox = inboxOf(system.db, durable);
  const interactionIds = [event.interactionId];
  await eventually(async () => expect(await inbox.listAside(workspaceId, interactionIds)).toHaveLength(1));
  await eventually(async () => expect(await inbox.readCursor('interaction')).not.toBeNull());
  const listAside: typeof inbox.listAside = async (...asked) => {
    await removal.query('commit');
    await eventually(() => expect(hook.requests).toHaveLength(1));
    return inbox.listAside(...asked);
  };
  const reading = {
    inbox: { ...inbox, listAside },
    log: eventLogHandlers(system.db, 30),
    subjects: [interactionCompleted.subject],
  };
  const asked = { workspaceId, interactionIds, latestChangeAt: new Date(0) };
  expect(await listUndelivered(system.db, reading, asked, randomUUID())).toMatchObject({ interactionIds });
  held.resolve({ status: 200 });
});
