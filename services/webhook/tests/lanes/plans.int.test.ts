import { randomUUID } from 'node:crypto';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { retryDelivery } from '../../src/controls/controls-store.ts';
import { claim, parkBlocked } from '../../src/dispatch/due-store.ts';
import { loadLanes, saveLanes, scanLanes } from '../../src/dispatch/lane-store.ts';
import { eventsOfInteractions, replaceBodies } from '../../src/intake/event-store.ts';
import { findDelivery, listAttempts, listDeliveries } from '../../src/log/log-store.ts';
import { purgeEvents } from '../../src/log/retention-store.ts';
import { removeReplica } from '../../src/ownership/shard-store.ts';
import { standardDelaysMs } from '../../src/scheduling/attempts/backoff.ts';
import { deactivateWebhook } from '../../src/webhooks/store.ts';
import { addBacklog } from './backlog.ts';
import {
  addEvents,
  addHook,
  createStore,
  due,
  type Hook,
  type Owner,
  ownAll,
  pauseFor,
  recordAll,
  refused,
  result,
  type Store,
  setOptions,
} from './lanes.ts';
import { countReads, readsOf, withoutStatistics } from '../log/reads.ts';

// The cost of a delivery depends neither on the number of due or finished ones, nor on the number of idle webhooks, nor
// on Postgres' statistics.

/** Adds idle webhooks, enough that reads of them are counted. */
async function addIdle(session: SqlConnection): Promise<void> {
  await session.query(`
    insert into webhook (id, workspace_id, url, is_active, active_since, event, secret_token)
    select uuidv7(), uuidv7(), 'http://127.0.0.1:9/', true, now(), 'InteractionCompleted', '-'
    from generate_series(1, 3000)`);
  await session.query(`
    insert into lane (webhook_id, workspace_id)
    select id, workspace_id from webhook on conflict do nothing`);
  await session.query(`
    insert into signing_secret (id, webhook_id, workspace_id, secret)
    select uuidv7(), id, workspace_id, '-' from webhook`);
}

/** Adds this many open deliveries, half of them due, and as many finished ones with an attempt each. */
async function fill(session: SqlConnection, hooks: readonly Hook[], deliveries: number): Promise<void> {
  await session.query(
    `insert into event (id, workspace_id, name, about, customer_id, status, data, extra, result,
       received_at)
     select uuidv7(), workspace_id, 'InteractionCompleted', uuidv7()::text, 'c', 'Completed', '{}', '{}', '{}',
       now() from lane, generate_series(1, $1) where webhook_id = any($2)`,
    [deliveries / hooks.length, hooks.map(({ id }) => id)],
  );
  await session.query(
    `insert into open_delivery (id, workspace_id, webhook_id, event_id, due_at)
     select uuidv7(), lane.workspace_id, lane.webhook_id, event.id, now() + (random() - 0.5) * interval '1 day'
     from lane join event on event.workspace_id = lane.workspace_id where lane.webhook_id = any($1)
     on conflict do nothing`,
    [hooks.map(({ id }) => id)],
  );
  await session.query(`
    insert into finished_delivery (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at)
    select uuidv7(), workspace_id, webhook_id, uuidv7(), 'succeeded', 1, false, now() from open_delivery`);
  await session.query(`
    insert into event (id, workspace_id, name, about, customer_id, status, data, extra, result,
       received_at)
    select event_id, workspace_id, 'InteractionCompleted', uuidv7()::text, 'c', 'Completed', '{}', '{}', '{}',
       now() from finished_delivery on conflict do nothing`);
  await session.query(`
    insert into attempt (delivery_id, number, workspace_id, started_at, duration_ms)
    select id, 1, workspace_id, now(), 1 from finished_delivery`);
}

interface Context {
  db: Store['db'];
  owner: Owner;
  hooks: readonly Hook[];
  isFull: boolean;
}

/** Runs the lane work of an owner. Reads only the first delivery of each lane. */
async function serveLanes({ db, owner, hooks }: Context): Promise<void> {
  expect(await scanLanes(db)).toHaveLength(hooks.length);
  const stored = await loadLanes(
    db,
    hooks.map(({ id }) => id),
  );
  expect(stored).toHaveLength(hooks.length);
  const tally = { hourMs: 0, attempts: 1, failures: 0, totalMs: 1, maxMs: 1 };
  const lanes = stored.map((lane) => ({
    ...lane,
    bucket: null,
    epoch: owner.epochOf(lane.webhookId),
    tallies: [tally],
  }));
  expect((await saveLanes(db, owner.replicaId, lanes)).size).toBe(hooks.length);
}

/** Reads due deliveries of ten lanes and records one third of them each as succeeded, failed and paused. */
async function deliver({ db, owner, hooks, isFull }: Context): Promise<void> {
  const each = isFull ? 15 : 1;
  const read = await due(db, hooks.slice(0, 10), each);
  expect(read).toHaveLength(10 * each);
  const part = (index: number) => read.filter((_, at) => at % 3 === index);
  const late = [
    await recordAll(db, owner, part(0)),
    await recordAll(db, owner, part(1), refused),
    await recordAll(db, owner, part(2), result({ status: 429, error: 'http_429' }), pauseFor(3_600_000)),
  ];
  expect(late).toEqual([new Set(), new Set(), new Set()]);
}

/** Records the results of deliveries that ended with their webhook meanwhile. */
async function deliverLate({ db, owner }: Context): Promise<void> {
  const hook = await addHook(db);
  await addEvents(db, hook, 3);
  const read = await due(db, [hook]);
  expect(read).toHaveLength(3);
  await deactivateWebhook(db, { ...hook, version: 1 });
  expect((await recordAll(db, owner, read)).size).toBe(3);
  const wanted = { workspaceId: hook.workspaceId, webhookId: hook.id, states: ['succeeded'] };
  expect(await listDeliveries(db, { ...wanted, since: null, until: null, beforeId: null }, 10)).toHaveLength(
    3,
  );
}

/** Runs the other periodic work. */
async function tend({ db, hooks }: Context): Promise<void> {
  for (const hook of hooks.slice(0, 5)) {
    const { workspaceId } = hook;
    const interactionId = randomUUID();
    const [id = ''] = await addEvents(db, hook, 1, { interactionId });
    expect(await eventsOfInteractions(db, workspaceId, [interactionId])).toMatchObject([{ id }]);
    await replaceBodies(db, { workspaceId, customerVersion: 1 }, [
      { id, interaction: Buffer.from('{}'), result: Buffer.from('{}') },
    ]);
  }
  await purgeEvents(db, { retryDelaysMs: standardDelaysMs });
}

/** Claims deliveries in flight, and releases the claims of a dead replica. */
async function handOver({ db, owner, hooks }: Context): Promise<void> {
  const read = await due(db, hooks.slice(10, 15), 1);
  expect(read).toHaveLength(5);
  await claim(db, owner.replicaId, read);
  expect(await recordAll(db, owner, read)).toEqual(new Set());
  await removeReplica(db, randomUUID(), null);
}

/** Reads a delivery as the API does, and retries it. */
async function look({ db, hooks: [hook] }: Context): Promise<void> {
  if (!hook) throw new Error('no webhook');
  const webhook = { workspaceId: hook.workspaceId, webhookId: hook.id };
  const range = { since: null, until: null, beforeId: null };
  const [one] = await listDeliveries(db, { ...webhook, ...range, states: ['succeeded'] }, 10);
  if (!one) throw new Error('nothing has succeeded');
  expect(await findDelivery(db, webhook, one.id)).toEqual(one);
  await listDeliveries(db, { ...webhook, ...range, states: ['failed', 'pending'], eventId: one.eventId }, 10);
  const attempts = await listAttempts(db, webhook, one.id, { number: 0, startedAt: new Date(0) }, 20);
  expect(attempts.length).toBeLessThan(5);
  expect(await retryDelivery(db, webhook, one.id)).toMatchObject({ state: 'pending' });
}

const works = [
  { name: 'claim, record, remove a replica', work: handOver, rowsMax: 60 },
  // The event of each delivery is read four times.
  { name: 'look at deliveries, retry one', work: look, rowsMax: 150 },
  // Of each of 50 lanes its first delivery, and a few rows of its own.
  { name: 'scan, load and save lanes', work: serveLanes, rowsMax: 50 * 15 },
  // Each by its row and its event, and by its row again when it is recorded.
  { name: 'read due deliveries and record results', work: deliver, rowsMax: 150 * 4 },
  { name: 'record late results', work: deliverLate, rowsMax: 60 },
  { name: 'take events in, replace bodies, purge', work: tend, rowsMax: 60 },
];

test.each([
  ['when they are full', { isBefore: false, isKnown: false }],
  ['when they are nearly empty', { isBefore: true, isKnown: false }],
  ['when they are known to be nearly empty', { isBefore: true, isKnown: true }],
])('full tables without statistics are read by indexes: planned %s', async (_, { isBefore, isKnown }) => {
  await using store = await createStore();
  await using session = await openSqlConnection(store.adminUrl);
  await session.query('set search_path = webhook');
  await withoutStatistics(session);
  const hooks: Hook[] = [];
  const owner = await ownAll(store.db);
  // The connection is closed, so that its reads are not counted later.
  await readsOf(store, session, async (db) => {
    hooks.push(...(await Promise.all(Array.from({ length: 50 }, () => addHook(db)))));
    for (const hook of hooks) await addEvents(db, hook, 3);
    await recordAll(db, owner, await due(db, hooks, 1));
  });
  if (isKnown) await session.query('analyze');
  await using stack = new AsyncDisposableStack();
  const counted = works.map((one) => ({ ...one, reads: stack.use(countReads(store, session)) }));
  if (isBefore) {
    for (const { work, reads } of counted) {
      await work({ db: reads.db, owner, hooks, isFull: false });
      await sql`select pg_stat_force_next_flush()`.execute(reads.db);
    }
  }
  await fill(session, hooks, 10_000);
  await addIdle(session);
  for (const { name, work, rowsMax, reads } of counted) {
    const { scans, rows } = await reads.of(async (db) => {
      for (let pass = 0; pass < 3; pass += 1) await work({ db, owner, hooks, isFull: true });
    });
    expect({ name, scans, rows }).toEqual({
      name,
      scans: 0,
      rows: expect.toSatisfy((n) => n < 3 * rowsMax),
    });
  }
});

test.each([
  ['without statistics', false],
  ['with statistics of nearly empty tables', true],
])('deliveries that wait for an earlier one are not read, whatever their number: %s', async (_, isKnown) => {
  await using store = await createStore();
  await using session = await openSqlConnection(store.adminUrl);
  await session.query('set search_path = webhook');
  await withoutStatistics(session);
  const owner = await ownAll(store.db);
  const hook = await addHook(store.db);
  await setOptions(store.db, hook, { ordering: 'perCustomer' });
  await addEvents(store.db, hook, 1, { customerId: 'stuck' });
  await recordAll(store.db, owner, await due(store.db, [hook]), refused);
  if (isKnown) await session.query('analyze');
  /** Delivers three events about one customer, two of which wait at first. */
  const deliverInOrder = async (db: Store['db']): Promise<void> => {
    await addEvents(db, hook, 3, { customerId: 'c-2' });
    const [first, ...others] = await due(db, [hook]);
    if (!first) throw new Error('nothing was due');
    expect([first, ...others].map(({ isBlocked }) => isBlocked)).toEqual([false, true, true]);
    await parkBlocked(db, { workspaceId: hook.workspaceId, webhookId: hook.id }, Date.now());
    let delivered = 0;
    for (let next = [first]; next.length > 0; next = await due(db, [hook])) {
      expect(next).toHaveLength(1);
      await recordAll(db, owner, next);
      delivered += 1;
    }
    expect(delivered).toBe(3);
  };
  await using counted = countReads(store, session);
  await deliverInOrder(counted.db);
  await addBacklog(session, hook, { number: 5_000, key: 'stuck' });
  const { scans, rows } = await counted.of(async (db) => {
    for (let pass = 0; pass < 10; pass += 1) await deliverInOrder(db);
  });
  expect(scans).toBe(0);
  expect(rows).toBeLessThan(10 * 50);
});

test('parking reads a limited number of due deliveries, however few of them wait for another', async () => {
  await using store = await createStore();
  await using session = await openSqlConnection(store.adminUrl);
  const hook = await addHook(store.db);
  await setOptions(store.db, hook, { ordering: 'perCustomer' });
  await addEvents(store.db, hook, 2, { customerId: 'c-1' });
  await addBacklog(session, hook, { number: 10_000, key: 'c-2', dueAt: new Date().toISOString() });
  await session.query(`update webhook.open_delivery set ordering_key = id where ordering_key = 'c-2'`);
  await using counted = countReads(store, session);
  const { scans, rows } = await counted.of(async (db) => {
    await parkBlocked(db, { workspaceId: hook.workspaceId, webhookId: hook.id }, Date.now());
  });
  expect(scans).toBe(0);
  expect(rows).toBeLessThan(5_000);
  expect((await due(store.db, [hook], 3)).map(({ isBlocked }) => isBlocked)).toEqual([false, false, false]);
});
