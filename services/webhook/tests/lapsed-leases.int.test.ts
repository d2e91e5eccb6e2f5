import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Claimed } from '../src/delivering/claim-store.ts';
import {
  addEvents,
  addHook,
  claim,
  createStore,
  type Hook,
  laneOf,
  type Store,
  setLane,
  settleAll,
} from './lanes.ts';
import { addOrdered, openOf } from './ordered.ts';

// Leases that have run out, among more deliveries of one instant than are looked at.

let store: Store;
beforeEach(async () => {
  store = await createStore();
});
afterEach(() => store[Symbol.asyncDispose]());

const at = new Date(Date.now() - 60_000);

/**
 * Puts what is open for a webhook back in this order, all of it due at the same instant. The last ones are had by workers
 * that are dead, and the lane counts them.
 */
async function putBack(hook: Hook, open: Awaited<ReturnType<typeof openOf>>, dead: number): Promise<void> {
  const { db } = store;
  await db
    .deleteFrom('openDelivery')
    .where('workspaceId', '=', hook.workspaceId)
    .where('webhookId', '=', hook.id)
    .execute();
  const rows = open.map((delivery, index) => ({
    ...delivery,
    dueAt: at,
    ...(index >= open.length - dead && { leaseToken: randomUUID(), leaseEnd: at }),
  }));
  await db.insertInto('openDelivery').values(rows).execute();
  await setLane(db, hook, { readyAt: at, lapsesAt: at, underWay: dead, isFull: true });
}

/** Two minutes go by. */
async function pass({ workspaceId, id }: Hook): Promise<void> {
  await sql`
    update lane set ready_at = ready_at - interval '2 minutes', lapses_at = lapses_at - interval '2 minutes'
    where workspace_id = ${workspaceId} and webhook_id = ${id}`.execute(store.db);
  await sql`
    update open_delivery set lease_end = lease_end - interval '2 minutes'
    where workspace_id = ${workspaceId} and webhook_id = ${id}`.execute(store.db);
}

/** Delivers one claim after another, until nothing more comes however much time goes by; answers what was delivered. */
async function deliverAll(hook: Hook): Promise<Claimed[]> {
  const delivered: Claimed[] = [];
  for (let empty = 0; empty < 20; ) {
    const claimed = await claim(store.db);
    if (claimed.length > 0) await settleAll(store.db, claimed);
    else await pass(hook);
    delivered.push(...claimed);
    empty = claimed.length === 0 ? empty + 1 : 0;
  }
  return delivered;
}

test.each([4, 300])(
  'of 600 that are due at the same instant, the last %i are taken over from dead workers, and all go out once',
  async (dead) => {
    const { db } = store;
    const hook = await addHook(db, { inFlightMax: 4 });
    await addEvents(db, hook, 600);
    const open = await openOf(db, hook);
    await putBack(hook, open, dead);
    const delivered = await deliverAll(hook);
    expect(delivered.map((one) => one.id).toSorted()).toEqual(open.map((one) => one.id).toSorted());
    expect(await laneOf(db, hook)).toMatchObject({ underWay: 0, isFull: false });
  },
);

test('the first of a line is taken over from a dead worker, however many that wait for it are due at the same instant', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'strict');
  await addEvents(db, hook, 300);
  const line = await openOf(db, hook);
  await putBack(hook, line.toReversed(), 1);
  expect((await deliverAll(hook)).map((one) => one.id)).toEqual(line.map((one) => one.id));
  expect(await laneOf(db, hook)).toMatchObject({ underWay: 0, isFull: false });
});
