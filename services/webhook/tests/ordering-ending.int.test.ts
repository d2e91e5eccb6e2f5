import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/receiver';
import { openSqlSession, type SqlSession } from '@parley/testing/sql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endRest, finishAbandoned } from '../src/delivering/end-store.ts';
import { addBacklog } from './backlog.ts';
import {
  addEvents,
  claim,
  createStore,
  type Hook,
  laneOf,
  refused,
  result,
  retryIn,
  type Store,
  setOptions,
  settleAll,
} from './lanes.ts';
import { addOrdered, openOf } from './ordered.ts';
import { completed, startSystem } from './system.ts';

// An ordered webhook whose receiver is gone: nothing of the line that waited is sent, and all of it ends.

let store: Store;
let session: SqlSession;
beforeEach(async () => {
  store = await createStore();
  session = await openSqlSession(store.adminUrl);
});
afterEach(async () => {
  await session[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const gone = result({ status: 410, error: 'http_410' });
const forGood = { verdict: { state: 'failed' as const, isGone: true } };

const statesOf = async (admin: SqlSession, { id }: Hook): Promise<Record<string, number>> => {
  const rows = await admin.query<{ state: string; number: number }>(
    'select state, count(*)::int as number from webhook.finished_delivery where webhook_id = $1 group by state',
    [id],
  );
  return Object.fromEntries(rows.map(({ state, number }) => [state, number]));
};

/** Sees that no claim takes anything, nor will. */
async function nothingIsTaken(hook: Hook): Promise<void> {
  expect((await laneOf(store.db, hook)).readyAt).toBeNull();
  expect(await claim(store.db)).toEqual([]);
}

/** Ends what is left, a page after the other; nothing is taken meanwhile. */
async function endAll(hook: Hook): Promise<void> {
  do await nothingIsTaken(hook);
  while (await endRest(store.db));
  await nothingIsTaken(hook);
}

test.each(['strict', 'perCustomer'] as const)(
  'of a long line behind a delivery whose receiver is gone all is skipped (%s)',
  async (ordering) => {
    const { db } = store;
    const hook = await addOrdered(db, ordering);
    await addEvents(db, hook, 1);
    const head = await claim(db);
    await addBacklog(session, hook, { number: 25_000, key: head[0]?.orderingKey ?? 'none' });
    await settleAll(db, head, gone, forGood);
    expect(await openOf(db, hook)).toHaveLength(15_000);
    // Whoever asks for this webhook in the name of another workspace ends nothing of it.
    expect(await endRest(db, { ...hook, workspaceId: randomUUID() })).toBe(false);
    expect(await openOf(db, hook)).toHaveLength(15_000);
    await endAll(hook);
    expect(await openOf(db, hook)).toEqual([]);
    expect(await statesOf(session, hook)).toEqual({ failed: 1, skipped: 25_000 });
    expect(await laneOf(db, hook)).toMatchObject({ underWay: 0, isEnding: false });
  },
);

test('what was under way for other customers ends as its worker says, or dies; nothing behind it is made due', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'perCustomer');
  const customers = ['c-1', 'c-2', 'c-3', 'c-4', 'c-5'];
  for (const customerId of customers) await addEvents(db, hook, 1, { customerId });
  const heads = await claim(db);
  for (const key of customers) await addBacklog(session, hook, { number: 5_000, key });
  const of = (customer: string) => heads.filter(({ orderingKey }) => orderingKey === customer);
  await settleAll(db, of('c-1'), gone, forGood);
  await nothingIsTaken(hook);
  await settleAll(db, of('c-2'));
  await settleAll(db, of('c-3'), refused);
  await endAll(hook);
  await settleAll(db, of('c-4'), refused);
  await nothingIsTaken(hook);
  // Of the fifth no worker says anything.
  expect(await openOf(db, hook)).toMatchObject([{ orderingKey: 'c-5', state: 'skipped' }]);
  await session.query('update webhook.open_delivery set lease_end = now()');
  await finishAbandoned(db);
  await nothingIsTaken(hook);
  expect(await openOf(db, hook)).toEqual([]);
  expect(await statesOf(session, hook)).toEqual({ failed: 1, succeeded: 1, skipped: 25_003 });
  expect(await laneOf(db, hook)).toMatchObject({ underWay: 0, isEnding: false });
});

test('what is under way and not among the first ten thousand that are ended is skipped too when it fails', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'perCustomer');
  for (const customerId of ['c-1', 'c-2']) await addEvents(db, hook, 1, { customerId });
  const heads = await claim(db);
  await addBacklog(session, hook, { number: 12_000, key: 'c-3', dueAt: '-infinity' });
  await addBacklog(session, hook, { number: 3_000, key: 'c-2' });
  await settleAll(
    db,
    heads.filter(({ orderingKey }) => orderingKey === 'c-1'),
    gone,
    forGood,
  );
  await endAll(hook);
  expect(await openOf(db, hook)).toMatchObject([{ orderingKey: 'c-2', state: 'skipped' }]);
  await settleAll(
    db,
    heads.filter(({ orderingKey }) => orderingKey === 'c-2'),
    refused,
  );
  await nothingIsTaken(hook);
  expect(await openOf(db, hook)).toEqual([]);
  expect(await statesOf(session, hook)).toEqual({ failed: 1, skipped: 15_001 });
});

test('what is under way beyond the first ten thousand makes nothing due when it fails before the rest is ended', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'perCustomer');
  for (const customerId of ['c-1', 'c-2']) await addEvents(db, hook, 1, { customerId });
  const heads = await claim(db);
  await addBacklog(session, hook, { number: 12_000, key: 'c-3', dueAt: '-infinity' });
  await settleAll(
    db,
    heads.filter(({ orderingKey }) => orderingKey === 'c-1'),
    gone,
    forGood,
  );
  await settleAll(
    db,
    heads.filter(({ orderingKey }) => orderingKey === 'c-2'),
    refused,
    retryIn(0),
  );
  await endAll(hook);
  expect(await openOf(db, hook)).toEqual([]);
  expect(await statesOf(session, hook)).toEqual({ failed: 1, skipped: 12_001 });
});

test('a receiver that answers 410 gets nothing more of a long line', async () => {
  await using system = await startSystem();
  await using admin = await openSqlSession(system.adminUrl);
  const answering = Promise.withResolvers<{ status: number }>();
  await using receiver = await startReceiver(() => answering.promise);
  const event = completed();
  const { workspaceId } = event;
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const hook = { workspaceId, id };
  await setOptions(system.db, hook, { ordering: 'strict' });
  await system.raise([event]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  await addBacklog(admin, hook, { number: 25_000, key: '' });
  answering.resolve({ status: 410 });
  await eventually(async () => expect(await statesOf(admin, hook)).toEqual({ failed: 1, skipped: 25_000 }), {
    timeoutMs: 20_000,
  });
  expect(await openOf(system.db, hook)).toEqual([]);
  expect(receiver.requests).toHaveLength(1);
});
