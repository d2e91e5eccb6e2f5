import { eventually } from '@parley/testing/eventually';
import { openSqlSession } from '@parley/testing/sql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { activateWebhook, deactivateWebhook, findWebhook } from '../src/webhooks/store.ts';
import {
  addEvents,
  addHook,
  claim,
  createStore,
  type Hook,
  refused,
  type Store,
  setLane,
  setOptions,
  settleAll,
} from './lanes.ts';
import { holdLane, somebodyWaits } from './locks.ts';
import { addOrdered, openOf } from './ordered.ts';

// The order of deliveries when something changes on the way: the option, the webhook, or what is open.

let store: Store;
beforeEach(async () => {
  store = await createStore();
});
afterEach(() => store[Symbol.asyncDispose]());

async function version(hook: Hook) {
  const webhook = await findWebhook(store.db, hook.workspaceId, hook.id);
  if (!webhook) throw new Error('no webhook');
  return { ...hook, version: webhook.version };
}

test('an ordering is for events from then on; without it nothing waits any more', async () => {
  const { db } = store;
  const hook = await addHook(db, { isPrompt: true, inFlightMax: 32 });
  await addEvents(db, hook, 2);
  await setOptions(db, hook, { ordering: 'strict' });
  await addEvents(db, hook, 3);
  const claimed = await claim(db);
  expect(claimed.filter((delivery) => delivery.orderingKey === null)).toHaveLength(2);
  expect(claimed.filter((delivery) => delivery.orderingKey === '')).toHaveLength(1);
  await setOptions(db, hook, { ordering: 'none' });
  expect(await claim(db)).toHaveLength(2);
  expect((await settleAll(db, claimed)).lateIds).toEqual([]);
  await addEvents(db, hook, 2);
  expect(await claim(db)).toHaveLength(2);
});

test('what is under way when its webhook is deactivated and activated holds up what comes after, until it is finished', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'strict');
  await addEvents(db, hook, 2);
  const under = await claim(db);
  await deactivateWebhook(db, await version(hook));
  await activateWebhook(db, await version(hook));
  await addEvents(db, hook, 1);
  expect(await claim(db)).toEqual([]);
  const [, next] = await openOf(db, hook);
  expect((await settleAll(db, under)).lateIds).toEqual([]);
  expect(await claim(db)).toMatchObject([{ id: next?.id }]);
});

test('one that is opened again goes before those that came after it', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'strict');
  await addEvents(db, hook, 3);
  const [first, second, third] = await openOf(db, hook);
  const claimed = await claim(db);
  await settleAll(db, claimed);
  const reopened = { ...first, dueAt: new Date() };
  if (!reopened.id) throw new Error('nothing was opened');
  await db
    .insertInto('openDelivery')
    .values(reopened as NonNullable<typeof first>)
    .execute();
  await setLane(db, hook, { readyAt: new Date() });
  for (const expected of [first, second, third]) {
    const next = await claim(db);
    expect(next.map((delivery) => delivery.id)).toEqual([expected?.id]);
    expect(await claim(db)).toEqual([]);
    await settleAll(db, next);
  }
});

test('when taking away an ordering is cut short, what is left of a line has its first one, which is due', async () => {
  const { db } = store;
  await using session = await openSqlSession(store.adminUrl);
  const hook = await addOrdered(db, 'strict');
  for (let left = 10_051; left > 0; left -= 500) await addEvents(db, hook, Math.min(500, left));
  // The first page can be done, the second cannot.
  await session.query('begin');
  await session.query(
    'select id from webhook.open_delivery where webhook_id = $1 order by id offset 30 limit 1 for update',
    [hook.id],
  );
  const changing = expect(setOptions(db, hook, { ordering: 'none' })).rejects.toThrow();
  const { pid } = await somebodyWaits(session);
  await session.query('select pg_terminate_backend($1)', [pid]);
  await changing;
  await session.query('rollback');
  const left = await session.query<{ isDue: boolean }>(
    `select due_at <= now() as "isDue" from webhook.open_delivery
     where webhook_id = $1 and ordering_key is not null order by id`,
    [hook.id],
  );
  expect(left).toHaveLength(51);
  expect(left[0]).toEqual({ isDue: true });
});

test('events that come after the clock of the database went back wait for nobody who waits for them', async () => {
  const { db } = store;
  await using session = await openSqlSession(store.adminUrl);
  const hook = await addOrdered(db, 'strict');
  const eventIds = await addEvents(db, hook, 1);
  await session.query(`update webhook.open_delivery set id = uuidv7(interval '1 hour')`);
  eventIds.push(...(await addEvents(db, hook, 1)), ...(await addEvents(db, hook, 1)));
  const delivered: string[] = [];
  for (let claimed = await claim(db); claimed.length > 0; claimed = await claim(db)) {
    delivered.push(...claimed.map((delivery) => delivery.eventId));
    await settleAll(db, claimed);
  }
  expect(delivered.toSorted()).toEqual(eventIds.toSorted());
});

test('a result that has to be put off is recorded although its webhook is activated while it waits', async () => {
  const { db } = store;
  await using session = await openSqlSession(store.adminUrl);
  const hook = await addHook(db, { isPrompt: true });
  await addEvents(db, hook, 1);
  const claimed = await claim(db);
  await deactivateWebhook(db, await version(hook));
  await holdLane(session, hook);
  const activating = activateWebhook(db, await version(hook));
  await somebodyWaits(session);
  const settling = settleAll(db, claimed, refused);
  await eventually(async () => {
    await session.query('select pg_stat_clear_snapshot()');
    const waiting = await session.query(
      'select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
    );
    expect(waiting).toHaveLength(2);
  });
  await session.query('commit');
  await activating;
  expect((await settling).lateIds).toEqual([]);
  expect(await openOf(db, hook)).toMatchObject([{ state: 'pending', attempts: 1, leaseToken: null }]);
});
