import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Claimed } from '../src/delivering/claim-store.ts';
import { moveBreaker, resetLane } from '../src/delivering/lane-store.ts';
import {
  addEvents,
  addHook,
  byHook,
  claim,
  createStore,
  type Hook,
  laneOf,
  type Store,
  setLane,
  setOptions,
  settleAll,
} from './lanes.ts';

// How fast a webhook's deliveries are started, by all workers together. Time is the database's.

let store: Store;
beforeEach(async () => {
  store = await createStore();
});
afterEach(() => store[Symbol.asyncDispose]());

async function addLimited(perSecond: number, burst: number): Promise<Hook> {
  const hook = await addHook(store.db, { isPrompt: true, inFlightMax: 32 });
  await setOptions(store.db, hook, { rateLimit: { perSecond, burst } });
  return hook;
}

/** Moves the time at which tokens come by so many seconds, as if those had gone by. */
async function passSeconds(hook: Hook, seconds: number): Promise<void> {
  await store.db
    .updateTable('lane')
    .set({
      nextTokenAt: sql`next_token_at - ${seconds}::float8 * interval '1 second'`,
      readyAt: new Date(0),
    })
    .where('workspaceId', '=', hook.workspaceId)
    .where('webhookId', '=', hook.id)
    .execute();
}

async function claimAndSettle(): Promise<number> {
  const claimed = await claim(store.db);
  if (claimed.length > 0) await settleAll(store.db, claimed);
  return claimed.length;
}

test('no more are started than the burst, and then one for each token, as soon as it is there', async () => {
  const { db } = store;
  const hook = await addLimited(0.01, 5);
  await addEvents(db, hook, 20);
  expect(await claimAndSettle()).toBe(5);
  const { nextTokenAt, readyAt } = await laneOf(db, hook);
  expect(nextTokenAt?.getTime()).toBeGreaterThan(Date.now() + 95_000);
  expect(readyAt).toEqual(nextTokenAt);
  expect(await claimAndSettle()).toBe(0);
  await passSeconds(hook, 100);
  expect(await claimAndSettle()).toBe(1);
  await passSeconds(hook, 250);
  expect(await claimAndSettle()).toBe(2);
  await passSeconds(hook, 50);
  expect(await claimAndSettle()).toBe(1);
});

test('tokens that nobody draws are kept up to the burst', async () => {
  const { db } = store;
  const hook = await addLimited(0.01, 5);
  await addEvents(db, hook, 20);
  await claimAndSettle();
  await passSeconds(hook, 1_000_000);
  expect(await claimAndSettle()).toBe(5);
});

test('while there is no token, neither events nor results, a look, the breaker or an activation make the lane ready', async () => {
  const { db } = store;
  const hook = await addLimited(0.01, 2);
  await addEvents(db, hook, 5);
  const claimed = await claim(db);
  const { nextTokenAt } = await laneOf(db, hook);
  const isAtToken = async () => expect((await laneOf(db, hook)).readyAt).toEqual(nextTokenAt);
  await addEvents(db, hook, 1);
  await isAtToken();
  expect((await settleAll(db, claimed)).lanes).toMatchObject([{ isReady: false }]);
  await isAtToken();
  const lane = { workspaceId: hook.workspaceId, webhookId: hook.id };
  await moveBreaker(
    db,
    { ...lane, openings: 0, windowAttempts: 0, windowFailures: 0 },
    { openings: 0, pauseMs: null },
  );
  await isAtToken();
  await db.transaction().execute((trx) => resetLane(trx, lane));
  await isAtToken();
  await setLane(db, hook, { readyAt: new Date(0) });
  expect(await claim(db)).toEqual([]);
  await isAtToken();
});

test('workers that race start no more than burst and rate allow, in any stretch of time', async () => {
  const { db } = store;
  const [perSecond, burst] = [200, 10];
  const hook = await addLimited(perSecond, burst);
  const free = await addHook(db, { isPrompt: true, inFlightMax: 32 });
  await addEvents(db, hook, 300);
  await addEvents(db, free, 100);
  const started: { at: number; number: number }[] = [];
  let freed = 0;
  let left = 300;
  const work = async (): Promise<void> => {
    while (left > 0) {
      const claimed = await claim(db, { slots: 20 });
      freed += byHook(claimed)[free.id] ?? 0;
      const own = claimed.filter((delivery) => delivery.webhookId === hook.id);
      left -= own.length;
      if (own.length > 0) started.push({ at: await claimedAt(own), number: own.length });
      if (claimed.length > 0) await settleAll(db, claimed);
    }
  };
  /** When they were claimed, in milliseconds: the lease began then. */
  const claimedAt = async ([first]: Claimed[]): Promise<number> => {
    const { at } = await db
      .selectFrom('openDelivery')
      .where('workspaceId', '=', hook.workspaceId)
      .where('id', '=', first?.id ?? '')
      .select(sql<number>`extract(epoch from lease_end - interval '60 seconds')::float8 * 1000`.as('at'))
      .executeTakeFirstOrThrow();
    return at;
  };
  await Promise.all([work(), work(), work(), work()]);
  expect(freed).toBe(100);
  const inOrder = started.toSorted((a, b) => a.at - b.at);
  expect(inOrder.reduce((sum, { number }) => sum + number, 0)).toBe(300);
  for (const [from, { at }] of inOrder.entries()) {
    let number = 0;
    for (const one of inOrder.slice(from)) {
      number += one.number;
      // Of any stretch of time, whenever it begins.
      expect(number).toBeLessThanOrEqual(Math.floor(burst + ((one.at - at) / 1_000) * perSecond + 0.001));
    }
  }
  const seconds = ((inOrder.at(-1)?.at ?? 0) - (inOrder[0]?.at ?? 0)) / 1_000;
  expect(seconds).toBeGreaterThanOrEqual((300 - burst) / perSecond - 0.001);
}, 60_000);

test('a limit that is changed or taken away holds at once', async () => {
  const { db } = store;
  const hook = await addLimited(0.001, 1);
  await addEvents(db, hook, 30);
  expect(await claimAndSettle()).toBe(1);
  expect(await claimAndSettle()).toBe(0);
  await setOptions(db, hook, { rateLimit: { perSecond: 0.001, burst: 3 } });
  expect(await claimAndSettle()).toBe(3);
  expect(await claimAndSettle()).toBe(0);
  await setOptions(db, hook, { ordering: 'strict' });
  expect(await claimAndSettle()).toBe(0);
  await setOptions(db, hook, { rateLimit: null });
  expect(await claimAndSettle()).toBe(26);
});

test('a limit is no pause of the receiver, and other webhooks do not wait for it', async () => {
  const { db } = store;
  const hook = await addLimited(0.001, 2);
  const other = await addHook(db, { isPrompt: true, inFlightMax: 8 });
  await addEvents(db, hook, 10);
  await addEvents(db, other, 8);
  expect(byHook(await claim(db))).toEqual({ [hook.id]: 2, [other.id]: 8 });
  expect(await laneOf(db, hook)).toMatchObject({ pausedUntil: null, isFull: false, openings: 0 });
});
