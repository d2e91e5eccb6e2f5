import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { type ReceiverAnswer, startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answering, rawServer } from '../receivers/sending.ts';
import { completed, type System, startSystem } from '../system.ts';

// Faults that users of other products have reported, through the whole service. The sender's own tests cover #1017,
// #974 and #314 for one attempt.

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());

const deliveriesOf = (workspaceId: string) =>
  system.db
    .selectFrom('delivery')
    .where('workspaceId', '=', workspaceId)
    .select(['id', 'state', 'attempts'])
    .execute();

const attemptsOf = (workspaceId: string) =>
  system.db
    .selectFrom('everyAttempt')
    .where('workspaceId', '=', workspaceId)
    .orderBy('number')
    .select(['number', 'status', 'error', 'responseExcerpt'])
    .execute();

// https://github.com/hookdeck/outpost/issues/1017: each delivery opened a connection, until no ports were left.
test('a hundred deliveries share a few connections', async () => {
  await using receiver = await rawServer(answering());
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: `http://${receiver.host}/` });
  await system.raise(Array.from({ length: 100 }, () => completed({ workspaceId })));
  await eventually(
    async () => {
      const states = (await deliveriesOf(workspaceId)).map(({ state }) => state);
      expect(states).toEqual(Array.from({ length: 100 }, () => 'succeeded'));
    },
    { everyMs: 100 },
  );
  // The maximum in flight.
  expect(receiver.connections.length).toBeLessThanOrEqual(32);
});

// https://github.com/hookdeck/outpost/issues/974: an event whose answer could not be logged was sent for ever.
test('a binary answer of a megabyte is logged, cut to 16 KiB, and its delivery ends', async () => {
  await using receiver = await startReceiver(() => ({ status: 200, body: '\0\uFFFE'.repeat(2 ** 18) }));
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  await system.raise([completed({ workspaceId })]);
  await eventually(async () =>
    expect(await deliveriesOf(workspaceId)).toMatchObject([{ state: 'succeeded', attempts: 1 }]),
  );
  const [attempt] = await attemptsOf(workspaceId);
  expect(attempt?.responseExcerpt).toHaveLength(16 * 1_024);
  expect(receiver.requests).toHaveLength(1);
});

// https://github.com/hookdeck/outpost/issues/276: an event whose attempt was already logged was sent for ever.
test('a delivery ends even if its attempt is in the log already', async () => {
  const answer = Promise.withResolvers<ReceiverAnswer>();
  await using receiver = await startReceiver(() => answer.promise);
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const [delivery] = await deliveriesOf(workspaceId);
  await system.db
    .insertInto('attempt')
    .values({ deliveryId: delivery?.id ?? '', number: 1, workspaceId, startedAt: new Date(), durationMs: 1 })
    .execute();
  answer.resolve({ status: 200 });
  await eventually(async () =>
    expect(await deliveriesOf(workspaceId)).toMatchObject([{ state: 'succeeded', attempts: 1 }]),
  );
  expect(receiver.requests).toHaveLength(1);
});

// https://github.com/hookdeck/outpost/issues/314: deliveries that failed because of DNS were never retried.
test('a delivery to a name that cannot be resolved is retried like any other', async () => {
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: 'http://nowhere.invalid/' });
  await system.raise([completed({ workspaceId })]);
  // Without a network, no DNS server may answer, and each attempt takes seconds.
  await eventually(async () =>
    expect(await deliveriesOf(workspaceId)).toMatchObject([{ state: 'failed', attempts: 4 }]),
  );
  const failed = { status: null, error: 'dns' };
  expect(await attemptsOf(workspaceId)).toMatchObject([1, 2, 3, 4].map((number) => ({ number, ...failed })));
});
