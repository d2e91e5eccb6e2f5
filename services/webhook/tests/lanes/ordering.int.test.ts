import { openSqlConnection } from '@parley/testing/database/sql';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parkBlocked } from '../../src/dispatch/due-store.ts';
import { addBacklog } from './backlog.ts';
import {
  addEvents,
  createStore,
  incoming,
  ownAll,
  type Read,
  recordAll,
  refused,
  retryIn,
  type Store,
  storeEvents,
} from './lanes.ts';
import { lockLane } from './locks.ts';
import { addOrdered, eventIds, finishedOf, openOf, takeSendable } from './ordered.ts';

// The receiver of an ordered webhook gets the deliveries of each key one after another, in the order of arrival.

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const failedForGood = { next: { state: 'failed' as const, isGone: false } };

test('a strict webhook has one delivery that may be sent; each waits until the previous one is finished', async () => {
  const { db } = store;
  const [hook, owner] = [await addOrdered(db, 'strict'), await ownAll(db)];
  const events = await addEvents(db, hook, 3);
  events.push(...(await addEvents(db, hook, 2, { customerId: 'c-2' })));
  const seen: string[] = [];
  for (let pass = 0; pass < 5; pass += 1) {
    const sendable = await takeSendable(db, hook);
    expect(sendable).toHaveLength(1);
    expect(await takeSendable(db, hook, [sendable[0]?.id ?? ''])).toEqual([]);
    seen.push(...eventIds(sendable));
    await recordAll(db, owner, sendable);
  }
  expect(seen).toEqual([...events.slice(0, 3).toSorted(), ...events.slice(3).toSorted()]);
});

test('customers do not wait for each other, and each is served in the order of their events', async () => {
  const { db } = store;
  const [hook, owner] = [await addOrdered(db, 'perCustomer'), await ownAll(db)];
  const event = (customerId: string, second: number) => ({
    ...incoming(hook),
    customerId,
    raisedAt: new Date(Date.now() + second * 1_000),
  });
  const [late, early, other] = [event('a', 2), event('a', 1), event('b', 3)];
  await storeEvents(db, [late, early, other]);
  const first = await takeSendable(db, hook);
  expect(eventIds(first).toSorted()).toEqual([early.id, other.id].toSorted());
  await recordAll(db, owner, first);
  expect(eventIds(await takeSendable(db, hook))).toEqual([late.id]);
});

test('a failing one blocks later ones until it has succeeded or has no attempts left', async () => {
  const { db } = store;
  const [hook, owner] = [await addOrdered(db, 'strict'), await ownAll(db)];
  await addEvents(db, hook, 2);
  const [first, second] = await openOf(db, hook);
  await recordAll(db, owner, await takeSendable(db, hook), refused, retryIn(3_600_000));
  expect(await takeSendable(db, hook)).toEqual([]);
  await db
    .updateTable('openDelivery')
    .set({ dueAt: new Date() })
    .where('workspaceId', '=', hook.workspaceId)
    .where('id', '=', first?.id ?? '')
    .execute();
  const again = await takeSendable(db, hook);
  expect(again).toMatchObject([{ id: first?.id, attempt: 2 }]);
  await recordAll(db, owner, again, refused, failedForGood);
  expect(await takeSendable(db, hook)).toMatchObject([{ id: second?.id }]);
});

test('a delivery finished by a replica that has lost the lane makes the next one due', async () => {
  const { db } = store;
  const [hook, former] = [await addOrdered(db, 'strict'), await ownAll(db)];
  await addEvents(db, hook, 2);
  const [, second] = await openOf(db, hook);
  const sendable = await takeSendable(db, hook);
  await ownAll(db);
  await recordAll(db, former, sendable);
  expect(await takeSendable(db, hook)).toMatchObject([{ id: second?.id }]);
});

test('nothing is parked while the lane is locked, and a concurrent release is not lost', async () => {
  const { db } = store;
  await using recording = await openSqlConnection(store.adminUrl);
  const hook = await addOrdered(db, 'strict');
  await addEvents(db, hook, 2);
  const [first, second] = await openOf(db, hook);
  const park = () =>
    parkBlocked(db, { workspaceId: hook.workspaceId, webhookId: hook.id }, Date.now() + 1_000);
  await lockLane(recording, hook);
  expect(await park()).toBe(false);
  await recording.query('delete from webhook.open_delivery where id = $1', [first?.id]);
  await recording.query('commit');
  expect(await park()).toBe(true);
  expect(await takeSendable(db, hook)).toMatchObject([{ id: second?.id }]);
});

test.each(['strict', 'perCustomer'] as const)(
  'under concurrent additions, sends, results and retries, nothing overtakes and nothing is lost (%s)',
  async (ordering) => {
    const { db } = store;
    const [hook, owner] = [await addOrdered(db, ordering), await ownAll(db)];
    const inFlight = new Set<string>();
    const sending = new Map<string | null, string>();
    const delivered = new Map<string | null, string[]>();
    let adding = 3;
    const add = async (first: number): Promise<void> => {
      for (let pass = first; pass < first + 15; pass += 1) {
        await addEvents(db, hook, 3, { customerId: `c-${pass % 4}` });
      }
      adding -= 1;
    };
    const attempt = async (one: Read): Promise<void> => {
      const { id, orderingKey } = one;
      expect(sending.get(orderingKey)).toBeUndefined();
      sending.set(orderingKey, id);
      inFlight.add(id);
      // Others run meanwhile.
      await sql`select 1`.execute(db);
      sending.delete(orderingKey);
      const hasSucceeded = Math.random() < 0.7;
      if (hasSucceeded) delivered.set(orderingKey, [...(delivered.get(orderingKey) ?? []), id]);
      const recording = hasSucceeded
        ? recordAll(db, owner, [one])
        : recordAll(db, owner, [one], refused, retryIn(0));
      expect(await recording).toEqual(new Set());
      inFlight.delete(id);
    };
    const own = async (): Promise<void> => {
      const attempts: Promise<void>[] = [];
      while (adding > 0 || inFlight.size > 0 || (await openOf(db, hook)).length > 0) {
        const sendable = await takeSendable(db, hook, inFlight);
        attempts.push(...sendable.map(attempt));
        await sql`select 1`.execute(db);
      }
      await Promise.all(attempts);
    };
    await Promise.all([add(0), add(1), add(2), own()]);
    expect(await finishedOf(db, hook)).toHaveLength(3 * 15 * 3);
    for (const ids of delivered.values()) expect(ids).toEqual(ids.toSorted());
  },
);

test('thousands that wait behind a failing one do not delay others, and are read once', async () => {
  const { db } = store;
  await using admin = await openSqlConnection(store.adminUrl);
  const [hook, owner] = [await addOrdered(db, 'perCustomer'), await ownAll(db)];
  await addEvents(db, hook, 1, { customerId: 'stuck' });
  await recordAll(db, owner, await takeSendable(db, hook), refused, retryIn(3_600_000));
  await addBacklog(admin, hook, { number: 5_000, key: 'stuck', dueAt: 'now' });
  const [other] = await addEvents(db, hook, 1, { customerId: 'other' });
  let passes = 0;
  let sendable: Read[] = [];
  for (; sendable.length === 0 && passes < 10; passes += 1) sendable = await takeSendable(db, hook);
  expect(eventIds(sendable)).toEqual([other]);
  // Each pass parks a thousand.
  expect(passes).toBeLessThanOrEqual(6);
  await recordAll(db, owner, sendable);
  const due = await admin.query(
    `select id from webhook.open_delivery where webhook_id = $1 and due_at <= now()`,
    [hook.id],
  );
  expect(due).toEqual([]);
});
