import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/receiver';
import { openSqlSession, type SqlSession } from '@parley/testing/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activateWebhook, deactivateWebhook } from '../src/webhooks/store.ts';
import { addBacklog } from './backlog.ts';
import { addEvents, addHook, createStore, type Hook, setOptions } from './lanes.ts';
import { openOf } from './ordered.ts';
import { call, completed, type System, startSystem } from './system.ts';

// A webhook with a long backlog ends: nothing more is sent, and each delivery is finished once.

let system: System;
let admin: SqlSession;
beforeAll(async () => {
  // Slow answers do not time out in these tests.
  system = await startSystem({ totalTimeoutMs: 100_000 });
  admin = await openSqlSession(system.adminUrl);
});
afterAll(async () => {
  await admin[Symbol.asyncDispose]();
  await system[Symbol.asyncDispose]();
});

const backlog = 25_000;

async function statesOf({ id }: Hook): Promise<Record<string, number>> {
  const rows = await admin.query<{ state: string; number: number }>(
    'select state, count(*)::int as number from webhook.delivery where webhook_id = $1 group by state',
    [id],
  );
  return Object.fromEntries(rows.map(({ state, number }) => [state, number]));
}

/** Waits until the deliveries of a webhook have these states: a long backlog ends page by page. */
const become = (hook: Hook, states: Record<string, number>) =>
  eventually(async () => expect(await statesOf(hook)).toEqual(states), { timeoutMs: 20_000 });

/** Starts a receiver that answers after its release, and immediately from then on. */
async function startHolding() {
  const answering = Promise.withResolvers<{ status: number }>();
  const receiver = await startReceiver(() => answering.promise);
  return { ...receiver, answer: (status: number) => answering.resolve({ status }) };
}

/** Adds a webhook with one delivery in flight and a long backlog. */
async function addBusy(receiver: Receiver, ordering: 'none' | 'strict' = 'none'): Promise<Hook> {
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const hook = { workspaceId, id };
  await setOptions(system.db, hook, { ordering });
  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const [first] = await openOf(system.db, hook);
  await addBacklog(admin, hook, { number: backlog, key: first?.orderingKey ?? null, dueAt: 'now' });
  return hook;
}

test('a webhook that is deactivated and activated sends no skipped delivery, and counts the one in flight', async () => {
  await using receiver = await startHolding();
  const hook = await addBusy(receiver);
  await system.client.updateWebhook({ ...hook, isActive: false }, call);
  await system.client.updateWebhook({ ...hook, isActive: true }, call);
  expect(await statesOf(hook)).toEqual({ skipped: backlog + 1 });
  await system.raise([completed({ workspaceId: hook.workspaceId })]);
  receiver.answer(200);
  await become(hook, { skipped: backlog, succeeded: 2 });
  expect(receiver.requests).toHaveLength(2);
});

test('a deleted webhook discards a long backlog without sending it', async () => {
  await using receiver = await startHolding();
  const hook = await addBusy(receiver);
  await system.client.deleteWebhook(hook, call);
  receiver.answer(500);
  await become(hook, { discarded: backlog + 1 });
  expect(receiver.requests).toHaveLength(1);
});

test('a receiver that answers 410 gets none of the waiting deliveries', async () => {
  await using receiver = await startHolding();
  const hook = await addBusy(receiver, 'strict');
  receiver.answer(410);
  await become(hook, { failed: 1, skipped: backlog });
  expect(await openOf(system.db, hook)).toEqual([]);
  expect(receiver.requests).toHaveLength(1);
});

test('a webhook is deactivated together with its backlog, and activated together with its lane, or not at all', async () => {
  await using store = await createStore();
  await using session = await openSqlSession(store.adminUrl);
  const { db } = store;
  const hook = await addHook(db, { openings: 2 });
  await addEvents(db, hook, 1);
  await session.query(`
    create function webhook.refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused by a test'; end $$`);
  const state = () =>
    session.query(`
      select is_active as "isActive", openings, state from webhook.webhook
      join webhook.lane on lane.webhook_id = webhook.id join webhook.delivery on delivery.webhook_id = webhook.id`);
  const refusing = async (trigger: string, change: () => Promise<unknown>): Promise<void> => {
    const before = await state();
    await session.query(
      `create trigger refuse before ${trigger} for each row execute function webhook.refuse()`,
    );
    await expect(change()).rejects.toThrow('refused by a test');
    expect(await state()).toEqual(before);
    await session.query(`drop trigger refuse on ${trigger.split(' ').at(-1)}`);
    await change();
  };
  await refusing('insert on webhook.finished_delivery', () => deactivateWebhook(db, hook));
  expect(await state()).toEqual([{ isActive: false, openings: 2, state: 'skipped' }]);
  await refusing('update on webhook.lane', () => activateWebhook(db, hook));
  expect(await state()).toEqual([{ isActive: true, openings: 0, state: 'skipped' }]);
});
