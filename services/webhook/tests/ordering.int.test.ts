import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Claimed } from '../src/delivering/claim-store.ts';
import { type Outcome, settle } from '../src/delivering/settle-store.ts';
import { takeEvents } from '../src/intake/event-store.ts';
import {
  addEvents,
  claim,
  createStore,
  laneOf,
  outcome,
  refused,
  retryIn,
  type Store,
  settleAll,
} from './lanes.ts';
import { addOrdered, eventIds, makeDue, openOf } from './ordered.ts';

// What an ordered webhook's receiver sees: of each key one delivery after another, in the order in which they came.

let store: Store;
beforeEach(async () => {
  store = await createStore();
});
afterEach(() => store[Symbol.asyncDispose]());

test('a strict webhook has one delivery under way, and each waits until the one before is finished', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'strict');
  const events = await addEvents(db, hook, 3);
  events.push(...(await addEvents(db, hook, 2, { customerId: 'c-2' })));
  const seen: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const claimed = await claim(db);
    expect(claimed).toHaveLength(1);
    expect(await claim(db)).toEqual([]);
    seen.push(...eventIds(claimed));
    expect((await settleAll(db, claimed)).lanes).toMatchObject([{ isReady: round < 4 }]);
  }
  expect(seen).toEqual([...events.slice(0, 3).toSorted(), ...events.slice(3).toSorted()]);
});

test('customers do not wait for each other, and each is told in the order of completion', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'perCustomer');
  const at = (second: number) => new Date(Date.now() + second * 1_000);
  const event = (customerId: string, second: number) => ({
    id: randomUUID(),
    workspaceId: hook.workspaceId,
    customerId,
    body: Buffer.from('{}'),
    traceparent: null,
    completedAt: at(second),
  });
  const [late, early, other] = [event('a', 2), event('a', 1), event('b', 3)];
  await takeEvents(db, [late, early, other]);
  const first = await claim(db);
  expect(eventIds(first).toSorted()).toEqual([early.id, other.id].toSorted());
  await settleAll(
    db,
    first.filter((delivery) => delivery.eventId === early.id),
  );
  expect(eventIds(await claim(db))).toEqual([late.id]);
});

test('one that fails holds up those behind it until it has succeeded, or used up its attempts', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'strict');
  await addEvents(db, hook, 2);
  const [first, second] = await openOf(db, hook);
  await settleAll(db, await claim(db), refused, retryIn(3_600_000));
  expect(await claim(db)).toEqual([]);
  expect((await laneOf(db, hook)).readyAt?.getTime()).toBeGreaterThan(Date.now());
  await makeDue(db, [hook]);
  const again = await claim(db);
  expect(again).toMatchObject([{ id: first?.id, attempt: 2 }]);
  await settleAll(db, again, refused, { verdict: { state: 'failed', isGone: false } });
  expect(await claim(db)).toMatchObject([{ id: second?.id }]);
});

test.each(['strict', 'perCustomer'] as const)(
  'however many add, deliver, fail and die at once: nothing overtakes, nothing is forgotten (%s)',
  async (ordering) => {
    const { db } = store;
    const hooks = await Promise.all(Array.from({ length: 4 }, () => addOrdered(db, ordering)));
    const underWay = new Map<string, string>();
    const delivered = new Map<string, string[]>();
    let isAdding = true;
    const keyOf = ({ webhookId, orderingKey }: Outcome['delivery']) => `${webhookId} ${orderingKey}`;
    const add = async (worker: number): Promise<void> => {
      for (let round = 0; round < 10; round += 1) {
        for (const hook of hooks) await addEvents(db, hook, 3, { customerId: `c-${(worker + round) % 3}` });
      }
    };
    const attempt = async (claimed: Claimed[]): Promise<void> => {
      for (const delivery of claimed) {
        expect(underWay.get(keyOf(delivery))).toBeUndefined();
        underWay.set(keyOf(delivery), delivery.id);
      }
      // Others have their turn meanwhile.
      await sql`select 1`.execute(db);
      if (Math.random() < 0.1) {
        for (const delivery of claimed) underWay.delete(keyOf(delivery));
        await makeDue(db, hooks, claimed);
        return;
      }
      const outcomes = claimed.map((delivery) =>
        Math.random() < 0.7 ? outcome(delivery) : outcome(delivery, refused, retryIn(0)),
      );
      for (const { delivery, verdict } of outcomes) {
        const key = keyOf(delivery);
        underWay.delete(key);
        if (verdict.state === 'succeeded') delivered.set(key, [...(delivered.get(key) ?? []), delivery.id]);
      }
      expect((await settle(db, outcomes)).lateIds).toEqual([]);
    };
    const deliver = async (): Promise<void> => {
      for (let empty = 0; isAdding || empty < 20; ) {
        const claimed = await claim(db, { slots: 9 });
        if (claimed.length > 0) await attempt(claimed);
        empty = claimed.length === 0 ? empty + 1 : 0;
      }
    };
    const delivering = [deliver(), deliver(), deliver(), deliver()];
    await Promise.all([add(0), add(1), add(2)]);
    isAdding = false;
    await Promise.all(delivering);
    for (const hook of hooks) {
      expect(await openOf(db, hook)).toEqual([]);
      expect(await laneOf(db, hook)).toMatchObject({ underWay: 0 });
    }
    const orders = [...delivered.values()];
    expect(orders.flat()).toHaveLength(4 * 3 * 10 * 3);
    for (const ids of orders) expect(ids).toEqual(ids.toSorted());
  },
  60_000,
);

test('ten thousand that wait behind a failing one are not looked at, and hide nobody', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'perCustomer', 8);
  for (let batch = 0; batch < 20; batch += 1) await addEvents(db, hook, 500, { customerId: 'stuck' });
  const head = await claim(db);
  expect(head).toHaveLength(1);
  await settleAll(db, head, refused, retryIn(3_600_000));
  const [other] = await addEvents(db, hook, 1, { customerId: 'other' });
  expect(eventIds(await claim(db))).toEqual([other]);
});

test('those that were due before they had to wait are put off as they are found, and hide nobody for long', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'perCustomer', 32);
  await addEvents(db, hook, 1_000, { customerId: 'stuck' });
  await addEvents(db, hook, 1, { customerId: 'other' });
  const found = await openOf(db, hook);
  // As they are when they are opened again.
  await db
    .updateTable('openDelivery')
    .set({ dueAt: sql<Date>`now() - interval '1 minute'` })
    .where('workspaceId', '=', hook.workspaceId)
    .where('dueAt', '=', sql<Date>`'infinity'`)
    .execute();
  const claimed: Claimed[] = [];
  for (let round = 0; round < 40; round += 1) claimed.push(...(await claim(db)));
  expect(new Set(claimed.map((delivery) => delivery.id))).toEqual(
    new Set([found.at(0)?.id, found.at(-1)?.id]),
  );
  expect(claimed).toHaveLength(2);
  expect((await laneOf(db, hook)).readyAt?.getTime()).toBeGreaterThan(Date.now());
});
