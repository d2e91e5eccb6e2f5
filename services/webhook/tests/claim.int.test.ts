import { randomUUID } from 'node:crypto';
import { openSqlSession } from '@parley/testing/sql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimDue } from '../src/delivering/claim-store.ts';
import { takeEvents } from '../src/intake/event-store.ts';
import {
  addEvents,
  addHook,
  allFree,
  byHook,
  claim,
  createStore,
  endLeases,
  laneOf,
  retryIn,
  type Store,
  setLane,
  settleAll,
} from './lanes.ts';

// Whose deliveries are taken, how many, and by whom.

let store: Store;
beforeEach(async () => {
  store = await createStore();
});
afterEach(() => store[Symbol.asyncDispose]());

const ago = (ms: number): Date => new Date(Date.now() - ms);
/** Long enough, for a test. */
const hour = 3_600_000;

test('the webhook that was served least recently comes first, however much waits for others', async () => {
  const { db } = store;
  const busy = await addHook(db, { isPrompt: true, servedAt: ago(1_000), inFlightMax: 32 });
  const idle = await addHook(db, { isPrompt: true, servedAt: ago(hour) });
  await addEvents(db, busy, 200);
  await addEvents(db, idle, 1);
  expect(byHook(await claim(db, { slots: 1 }))).toEqual({ [idle.id]: 1 });
  expect(byHook(await claim(db, { slots: 1 }))).toEqual({ [busy.id]: 1 });
});

test('one of each webhook comes before a second of any', async () => {
  const { db } = store;
  const hooks = await Promise.all(Array.from({ length: 6 }, () => addHook(db, { isPrompt: true })));
  for (const hook of hooks) await addEvents(db, hook, 5);
  const first = await claim(db, { slots: 4 });
  expect(Object.values(byHook(first))).toEqual([1, 1, 1, 1]);
  const second = await claim(db, { slots: 2 });
  expect(Object.values(byHook(second))).toEqual([1, 1]);
  expect(new Set([...first, ...second].map((one) => one.webhookId)).size).toBe(6);
});

test('no more of a webhook are under way than may be, in all workers together; a result makes room', async () => {
  const { db } = store;
  const hook = await addHook(db, { inFlightMax: 4 });
  await addEvents(db, hook, 10);
  const first = await claim(db);
  expect(first).toHaveLength(4);
  expect(await claim(db)).toEqual([]);
  expect(await laneOf(db, hook)).toMatchObject({ isFull: true });
  const { lanes } = await settleAll(db, first.slice(0, 1));
  expect(lanes).toMatchObject([{ isReady: true }]);
  expect(await laneOf(db, hook)).toMatchObject({ inFlightMax: 5 });
  expect(await claim(db)).toHaveLength(2);
});

test('while a webhook has all that it may have, further events do not make it ready', async () => {
  const { db } = store;
  const hook = await addHook(db, { inFlightMax: 1 });
  await addEvents(db, hook, 1);
  await claim(db);
  await addEvents(db, hook, 3);
  expect((await laneOf(db, hook)).readyAt?.getTime()).toBeGreaterThan(Date.now());
});

test('lanes that are not prompt share the slots that are for them, prompt ones get the rest', async () => {
  const { db } = store;
  const slow = await Promise.all(Array.from({ length: 10 }, () => addHook(db)));
  for (const hook of slow) await addEvents(db, hook, 4);
  const prompt = await addHook(db, { isPrompt: true, inFlightMax: 8 });
  await addEvents(db, prompt, 8);
  const claimed = await claim(db, { slots: 20, slowSlots: 5 });
  expect(claimed.filter((delivery) => !delivery.isPrompt)).toHaveLength(5);
  expect(byHook(claimed)).toMatchObject({ [prompt.id]: 8 });
  expect(await claim(db, { slots: 20, slowSlots: 0 })).toEqual([]);
});

test('a webhook that is waited for right now is not prompt, whatever its lane says', async () => {
  const { db } = store;
  const hanging = await addHook(db, { isPrompt: true, inFlightMax: 8 });
  const other = await addHook(db, { isPrompt: true, inFlightMax: 8 });
  for (const hook of [hanging, other]) await addEvents(db, hook, 8);
  const claimed = await claim(db, { slots: 16, slowSlots: 2, hanging: [hanging.id] });
  expect(byHook(claimed)).toEqual({ [hanging.id]: 2, [other.id]: 8 });
});

test('a workspace gets no more than its share while others wait, and all there is when none does', async () => {
  const { db } = store;
  const workspaceId = randomUUID();
  const big = await Promise.all(
    Array.from({ length: 8 }, () => addHook(db, { workspaceId, isPrompt: true, inFlightMax: 32 })),
  );
  const [first] = big;
  if (!first) throw new Error('no webhook');
  await addEvents(db, first, 16);
  const small = await addHook(db, { isPrompt: true, inFlightMax: 32 });
  await addEvents(db, small, 7);
  const claimed = await claim(db, { slots: 15, workspaceSlots: 12, held: new Map([[workspaceId, 4]]) });
  expect(byHook(claimed)[small.id]).toBe(7);
  expect(claimed.filter((one) => one.workspaceId === workspaceId)).toHaveLength(8);
  expect(await claim(db, { slots: 20, workspaceSlots: 8, held: new Map([[workspaceId, 8]]) })).toHaveLength(
    20,
  );
});

test('what is reserved is for workspaces that have few', async () => {
  const { db } = store;
  const big = await addHook(db, { isPrompt: true, inFlightMax: 32 });
  await addEvents(db, big, 30);
  const small = await addHook(db, { isPrompt: true, inFlightMax: 32 });
  await addEvents(db, small, 9);
  const held = new Map([
    [big.workspaceId, 8],
    [small.workspaceId, 2],
  ]);
  const scarce = await claim(db, { slots: 12, reserved: 12, fewSlots: 8, held });
  expect(byHook(scarce)).toEqual({ [small.id]: 6 });
  const some = await claim(db, {
    slots: 12,
    reserved: 5,
    fewSlots: 8,
    held: new Map(held).set(small.workspaceId, 8),
  });
  expect(some).toHaveLength(7);
});

test('what is reserved is found behind however many lanes of a workspace that has many', async () => {
  const { db } = store;
  const workspaceId = randomUUID();
  const big = await Promise.all(
    Array.from({ length: 80 }, () => addHook(db, { workspaceId, isPrompt: true, inFlightMax: 32 })),
  );
  // An event is for all webhooks of its workspace.
  if (big[0]) await addEvents(db, big[0], 1);
  const small = await addHook(db, { isPrompt: true, inFlightMax: 32 });
  await addEvents(db, small, 4);
  const held = new Map([[workspaceId, 8]]);
  expect(byHook(await claim(db, { slots: 3, reserved: 3, fewSlots: 8, held }))).toEqual({ [small.id]: 3 });
  expect(await claim(db, { slots: 100, reserved: 90, fewSlots: 8, held })).toHaveLength(10);
  expect(byHook(await claim(db, { slots: 90, reserved: 90, fewSlots: 8, held }))).toEqual({ [small.id]: 1 });
});

test('a claim that takes of few lanes takes of one of each workspace first, and last of who has many slots', async () => {
  const { db } = store;
  const workspaceId = randomUUID();
  const big = await Promise.all(
    Array.from({ length: 5 }, () =>
      addHook(db, { workspaceId, isPrompt: true, inFlightMax: 32, servedAt: ago(hour) }),
    ),
  );
  if (big[0]) await addEvents(db, big[0], 20);
  const small = await Promise.all([1, 2].map(() => addHook(db, { isPrompt: true, inFlightMax: 32 })));
  for (const hook of small) await addEvents(db, hook, 20);
  const ids = small.map(({ id }) => id).toSorted();

  const spread = byHook(await claim(db, { slots: 12, lanes: 3 }));
  expect(Object.keys(spread)).toHaveLength(3);
  expect(Object.keys(spread)).toEqual(expect.arrayContaining(ids));
  const held = new Map([[workspaceId, 32]]);
  const others = byHook(await claim(db, { slots: 12, lanes: 2, held, workspaceSlots: 32 }));
  expect(Object.keys(others).toSorted()).toEqual(ids);
});

test('who has many slots is no later for it among lanes that are not prompt', async () => {
  const { db } = store;
  const slow = await Promise.all(
    Array.from({ length: 4 }, (_, index) => addHook(db, { servedAt: ago(hour - index * 1_000) })),
  );
  for (const hook of slow) await addEvents(db, hook, 1);
  const [first] = slow;
  if (!first) throw new Error('no webhook');
  const held = new Map([[first.workspaceId, 32]]);
  expect(byHook(await claim(db, { slowSlots: 1, held, workspaceSlots: 32 }))).toEqual({ [first.id]: 1 });
});

test('when others hold all the lanes that a claim sees, it is made again soon', async () => {
  const { db, adminUrl } = store;
  const workspaceId = randomUUID();
  const hooks = await Promise.all(
    Array.from({ length: 70 }, (_, index) =>
      addHook(db, { workspaceId, isPrompt: true, servedAt: ago(hour - index * 1_000) }),
    ),
  );
  if (hooks[0]) await addEvents(db, hooks[0], 1);
  await using session = await openSqlSession(adminUrl);
  await session.query('begin');
  await session.query('select from webhook.lane order by ready_at limit 64 for update');
  const seen = { ...allFree, leaseToken: randomUUID(), slots: 64, workspaceSlots: 64 };
  expect(await claimDue(db, seen)).toMatchObject({ deliveries: [], againInMs: 0 });
  await session.query('rollback');
  expect((await claimDue(db, seen)).deliveries).toHaveLength(64);
});

test('ten workers at once take everything, nothing twice', async () => {
  const { db } = store;
  const hooks = await Promise.all(
    Array.from({ length: 20 }, () => addHook(db, { isPrompt: true, inFlightMax: 32 })),
  );
  for (const hook of hooks) await addEvents(db, hook, 30);
  const taken: string[] = [];
  const work = async (): Promise<void> => {
    for (let empty = 0; empty < 20; ) {
      const claimed = await claim(db, { slots: 7 });
      taken.push(...claimed.map((delivery) => delivery.id));
      empty = claimed.length === 0 ? empty + 1 : 0;
    }
  };
  await Promise.all(Array.from({ length: 10 }, work));
  expect(taken).toHaveLength(600);
  expect(new Set(taken).size).toBe(600);
});

test('of a lease that has run out others take over, at once and as the same attempt', async () => {
  const { db } = store;
  const hook = await addHook(db, { inFlightMax: 2 });
  await addEvents(db, hook, 2);
  const dead = await claim(db, { leaseMs: 0 });
  const taken = await claim(db);
  expect(taken.map((one) => one.id).toSorted()).toEqual(dead.map((one) => one.id).toSorted());
  expect(taken.every((one) => one.attempt === 1)).toBe(true);
  expect((await settleAll(db, dead)).lateIds.toSorted()).toEqual(dead.map((one) => one.id).toSorted());
  expect((await settleAll(db, taken)).lateIds).toEqual([]);
});

test('a count of what is under way that is wrong is right again when a lease has run out', async () => {
  const { db } = store;
  const hook = await addHook(db, { inFlightMax: 2 });
  await addEvents(db, hook, 4);
  await claim(db);
  for (const underWay of [0, 99]) {
    await setLane(db, hook, { underWay });
    await endLeases(db);
    expect(await claim(db)).toHaveLength(2);
    expect(await laneOf(db, hook)).toMatchObject({ underWay: 2 });
  }
});

test('what nobody may take yet is taken when its lease, its retry or its pause is over, and not looked at before', async () => {
  const { db } = store;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const [delivery] = await claim(db, { leaseMs: hour });
  if (!delivery) throw new Error('nothing was due');
  const leased = await laneOf(db, hook);
  expect(leased.readyAt?.getTime()).toBeGreaterThan(Date.now() + hour / 2);
  await settleAll(db, [delivery], undefined, retryIn(hour / 4));
  const putOff = await laneOf(db, hook);
  expect(putOff.readyAt?.getTime()).toBeLessThan(Date.now() + hour / 2);
  await settleAll(db, [delivery]);
  expect(await laneOf(db, hook)).toEqual(putOff);
});

test('a webhook of which nothing is open is not looked at', async () => {
  const { db } = store;
  const hook = await addHook(db);
  await addEvents(db, hook, 2);
  await settleAll(db, await claim(db));
  // What was made ready by the end of the lease is looked at once more.
  await setLane(db, hook, { readyAt: ago(1), lapsesAt: ago(1) });
  expect(await claim(db)).toEqual([]);
  expect(await laneOf(db, hook)).toMatchObject({ readyAt: null, isFull: false });
});

test('an event that is committed while a claim goes on is not forgotten', async () => {
  const { db } = store;
  await using session = await openSqlSession(store.adminUrl);
  const hooks = await Promise.all(
    Array.from({ length: 100 }, () => addHook(db, { isPrompt: true, inFlightMax: 32 })),
  );
  let isAdding = true;
  // What is forgotten of the last event of a webhook is not found by a later one.
  const add = async (): Promise<void> => {
    for (const hook of hooks) await addEvents(db, hook, 1);
  };
  const deliver = async (): Promise<void> => {
    for (let empty = 0; isAdding || empty < 3; ) {
      const claimed = await claim(db);
      if (claimed.length > 0) await settleAll(db, claimed);
      empty = claimed.length === 0 ? empty + 1 : 0;
    }
  };
  const delivering = [deliver(), deliver(), deliver()];
  await Promise.all([add(), add(), add()]);
  isAdding = false;
  await Promise.all(delivering);
  await deliver();
  expect(await session.query('select count(*)::int as open from webhook.open_delivery')).toEqual([
    { open: 0 },
  ]);
});

test('events are taken in once, however many take them in at the same time', async () => {
  const { db } = store;
  const hook = await addHook(db, { inFlightMax: 32 });
  const event = {
    id: randomUUID(),
    workspaceId: hook.workspaceId,
    customerId: 'c-1',
    body: Buffer.from('{}'),
    traceparent: null,
    completedAt: null,
  };
  const made = await Promise.all(Array.from({ length: 8 }, () => takeEvents(db, [event])));
  expect(made.filter((number) => number > 0)).toEqual([1]);
  expect(await claim(db)).toHaveLength(1);
});
