import { afterEach, beforeEach, expect, test } from 'vitest';
import { activateWebhook, deactivateWebhook, findWebhook } from '../src/store.ts';
import {
  addEvents,
  addHook,
  claim,
  createStore,
  type Hook,
  setLane,
  setOptions,
  settleAll,
  type Store,
} from './lanes.ts';
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
