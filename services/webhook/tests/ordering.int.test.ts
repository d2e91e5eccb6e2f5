import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { openSqlSession, type SqlSession } from '@parley/testing/sql';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Claimed } from '../src/claim-store.ts';
import { replaceBodies, takeEvents } from '../src/event-store.ts';
import type { WebhookTable } from '../src/schema.ts';
import { type Outcome, settle } from '../src/settle-store.ts';
import { activateWebhook, deactivateWebhook, findWebhook } from '../src/store.ts';
import {
  addEvents,
  addHook,
  claim,
  createStore,
  type Hook,
  laneOf,
  outcome,
  refused,
  result,
  setLane,
  setOptions,
  settleAll,
  type Store,
} from './lanes.ts';

// What an ordered webhook's receiver sees: of each key one delivery after another, in the order in which they came.

let store: Store;
beforeEach(async () => {
  store = await createStore();
});
afterEach(() => store[Symbol.asyncDispose]());

type Ordering = WebhookTable['ordering']['__select__'];

async function addOrdered(ordering: Ordering, inFlightMax = 32): Promise<Hook> {
  const hook = await addHook(store.db, { isPrompt: true, inFlightMax });
  await setOptions(store.db, hook, { ordering });
  return hook;
}

const eventIds = (claimed: readonly Claimed[]) => claimed.map((delivery) => delivery.eventId);
const retryIn = (delayMs: number) => ({ verdict: { state: 'pending' as const, delayMs } });

async function open(hook: Hook) {
  return store.db
    .selectFrom('openDelivery')
    .where('workspaceId', '=', hook.workspaceId)
    .where('webhookId', '=', hook.id)
    .orderBy('id')
    .selectAll()
    .execute();
}

/** Makes what is open, or these of it, due now, as time would do: when a retry is due, or a worker has died. */
async function makeDue(hooks: readonly Hook[], only?: readonly Claimed[]): Promise<void> {
  const ids = only?.map((delivery) => delivery.id);
  await store.db.transaction().execute(async (trx) => {
    for (const hook of hooks.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      await setLane(trx, hook, { readyAt: new Date() });
      await trx
        .updateTable('openDelivery')
        .set({ dueAt: new Date() })
        .where('workspaceId', '=', hook.workspaceId)
        .where('webhookId', '=', hook.id)
        .$if(ids !== undefined, (qb) => qb.where('id', '=', sql<string>`any(${ids}::uuid[])`))
        .execute();
    }
  });
}

/** Begins a transaction that has a webhook's lane, as one that settles has. */
async function holdLane(session: SqlSession, hook: Hook): Promise<void> {
  await session.query('begin');
  await session.query('select webhook_id from webhook.lane where webhook_id = $1 for update', [hook.id]);
}

/** Waits until another session of the database waits for what this one has. */
async function somebodyWaits(session: SqlSession): Promise<void> {
  await eventually(async () => {
    const waiting = await session.query(
      'select pid from pg_stat_activity where datname = current_database() and pg_backend_pid() = any(pg_blocking_pids(pid))',
    );
    expect(waiting).toHaveLength(1);
  });
}

async function version(hook: Hook) {
  const webhook = await findWebhook(store.db, hook.workspaceId, hook.id);
  if (!webhook) throw new Error('no webhook');
  return { ...hook, version: webhook.version };
}

test('a strict webhook has one delivery under way, and each waits until the one before is finished', async () => {
  const { db } = store;
  const hook = await addOrdered('strict');
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
  const hook = await addOrdered('perCustomer');
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
  const hook = await addOrdered('strict');
  await addEvents(db, hook, 2);
  const [first, second] = await open(hook);
  await settleAll(db, await claim(db), refused, retryIn(3_600_000));
  expect(await claim(db)).toEqual([]);
  expect((await laneOf(db, hook)).readyAt?.getTime()).toBeGreaterThan(Date.now());
  await makeDue([hook]);
  const again = await claim(db);
  expect(again).toMatchObject([{ id: first?.id, attempt: 2 }]);
  await settleAll(db, again, refused, { verdict: { state: 'failed', isGone: false } });
  expect(await claim(db)).toMatchObject([{ id: second?.id }]);
});

test.each(['strict', 'perCustomer'] as const)(
  'however many add, deliver, fail and die at once: nothing overtakes, nothing is forgotten (%s)',
  async (ordering) => {
    const { db } = store;
    const hooks = await Promise.all(Array.from({ length: 4 }, () => addOrdered(ordering)));
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
        await makeDue(hooks, claimed);
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
      expect((await settle(db, outcomes)).ids.size).toBe(outcomes.length);
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
    for (const hook of hooks) expect(await open(hook)).toEqual([]);
    const orders = [...delivered.values()];
    expect(orders.flat()).toHaveLength(4 * 3 * 10 * 3);
    for (const ids of orders) expect(ids).toEqual(ids.toSorted());
  },
  60_000,
);

test('ten thousand that wait behind a failing one are not looked at, and hide nobody', async () => {
  const { db } = store;
  const hook = await addOrdered('perCustomer', 8);
  for (let batch = 0; batch < 20; batch += 1) await addEvents(db, hook, 500, { customerId: 'stuck' });
  const head = await claim(db);
  expect(head).toHaveLength(1);
  await settleAll(db, head, refused, retryIn(3_600_000));
  const [other] = await addEvents(db, hook, 1, { customerId: 'other' });
  expect(eventIds(await claim(db))).toEqual([other]);
});

test('those that were due before they had to wait are put off as they are found, and hide nobody for long', async () => {
  const { db } = store;
  const hook = await addOrdered('perCustomer', 32);
  await addEvents(db, hook, 1_000, { customerId: 'stuck' });
  await addEvents(db, hook, 1, { customerId: 'other' });
  const found = await open(hook);
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
  expect((await settleAll(db, claimed)).ids.size).toBe(3);
  await addEvents(db, hook, 2);
  expect(await claim(db)).toHaveLength(2);
});

test('what is under way when its webhook is deactivated holds up what comes after, as long as its worker may live', async () => {
  const { db } = store;
  const hook = await addOrdered('strict');
  await addEvents(db, hook, 2);
  const under = await claim(db);
  await deactivateWebhook(db, await version(hook));
  await activateWebhook(db, await version(hook));
  await addEvents(db, hook, 1);
  expect(await claim(db)).toEqual([]);
  const [ended, next] = await open(hook);
  expect(next?.dueAt).toEqual(ended?.dueAt);
  await makeDue([hook]);
  expect(await claim(db)).toMatchObject([{ id: next?.id }]);
  expect((await settleAll(db, under)).ids.size).toBe(1);
});

test('one that is opened again goes before those that came after it', async () => {
  const { db } = store;
  const hook = await addOrdered('strict');
  await addEvents(db, hook, 3);
  const [first, second, third] = await open(hook);
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

test('an event that comes while the one before is being finished does not wait for it for ever', async () => {
  const { db } = store;
  const hook = await addOrdered('strict');
  await addEvents(db, hook, 1);
  await using settling = await openSqlSession(store.adminUrl);
  await holdLane(settling, hook);
  const adding = addEvents(db, hook, 1);
  await somebodyWaits(settling);
  await settling.query('delete from webhook.open_delivery where webhook_id = $1', [hook.id]);
  await settling.query('update webhook.lane set ready_at = ready_at where webhook_id = $1', [hook.id]);
  await settling.query('commit');
  expect(eventIds(await claim(db))).toEqual(await adding);
});

test('whoever replaces bodies holds no delivery while it waits for a lane', async () => {
  const { db } = store;
  const hook = await addOrdered('strict');
  const [eventId = ''] = await addEvents(db, hook, 1);
  await using settling = await openSqlSession(store.adminUrl);
  await holdLane(settling, hook);
  const owner = { workspaceId: hook.workspaceId, customerId: 'c-1', customerVersion: 1 };
  const replacing = replaceBodies(db, owner, [{ eventId, body: Buffer.from('{"gone":true}') }]);
  await somebodyWaits(settling);
  const held = await settling.query(
    'select id from webhook.open_delivery where webhook_id = $1 for update nowait',
    [hook.id],
  );
  expect(held).toHaveLength(1);
  await settling.query('commit');
  await replacing;
  expect(await claim(db)).toMatchObject([{ eventId, body: Buffer.from('{"gone":true}') }]);
});

test('bodies are replaced while what is about the same customer is delivered one after another', async () => {
  const { db } = store;
  const workspaceId = randomUUID();
  const hooks = await Promise.all(
    Array.from({ length: 3 }, () => addHook(db, { workspaceId, isPrompt: true, inFlightMax: 32 })),
  );
  for (const hook of hooks) await setOptions(db, hook, { ordering: 'strict' });
  const [hook] = hooks;
  if (!hook) throw new Error('no webhook');
  const ids = await addEvents(db, hook, 60);
  const replace = async (customerVersion: number): Promise<void> => {
    const bodies = ids.map((eventId) => ({ eventId, body: Buffer.from('{"gone":true}') }));
    await replaceBodies(db, { workspaceId, customerId: 'c-1', customerVersion }, bodies);
  };
  const deliver = async (): Promise<number> => {
    let done = 0;
    for (let empty = 0; empty < 20; ) {
      const claimed = await claim(db);
      if (claimed.length > 0) done += (await settleAll(db, claimed, result())).ids.size;
      empty = claimed.length === 0 ? empty + 1 : 0;
    }
    return done;
  };
  const replacing = async (): Promise<void> => {
    for (let round = 1; round <= 15; round += 1) await replace(round);
  };
  const [done, also] = await Promise.all([deliver(), deliver(), replacing()]);
  expect(done + also + (await deliver())).toBe(180);
}, 60_000);
