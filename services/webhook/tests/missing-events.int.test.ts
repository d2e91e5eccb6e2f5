import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { openSqlSession } from '@parley/testing/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMissingEvents, replaceBodies, storeEventsAndDeliveries } from '../src/intake/event-store.ts';
import { createStore, incoming, type Store } from './lanes.ts';

// The sender deletes the events that the service has stored.

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const missing = (eventIds: string[]): Promise<string[]> => listMissingEvents(store.db, eventIds);
const anyone = () => ({ workspaceId: randomUUID() });

test('an event is stored when its transaction is committed, not before, and not when it is rolled back', async () => {
  const event = incoming(anyone());
  const trx = await store.db.startTransaction().execute();
  await storeEventsAndDeliveries(trx, [event]);
  expect(await missing([event.id])).toEqual([event.id]);
  await trx.rollback().execute();
  expect(await missing([event.id])).toEqual([event.id]);
  await storeEventsAndDeliveries(store.db, [event]);
  expect(await missing([event.id])).toEqual([]);
});

test('a body that waits for its event does not count as the event', async () => {
  const { id, workspaceId, customerId } = incoming(anyone());
  const bodies = [{ eventId: id, body: Buffer.from('{}') }];
  await replaceBodies(store.db, { workspaceId, customerId, customerVersion: 1 }, bodies);
  expect(await missing([id])).toEqual([id]);
});

test('the question about 500 of 10,000 events reads no others', async () => {
  await using admin = await openSqlSession(store.adminUrl);
  await admin.query(`
    insert into webhook.event (id, workspace_id, customer_id, body, received_at)
    select uuidv7(), uuidv7(), 'c', '{}', now() from generate_series(1, 10000)`);
  const stored = await admin.query<{ id: string }>(
    'select id from webhook.event where received_at is not null limit 400',
  );
  const lost = Array.from({ length: 100 }, () => randomUUID());
  /** Returns the number of sequential scans. A connection reports its statistics when it ends. */
  const scans = async (): Promise<unknown> => {
    await admin.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await admin.query('select pg_stat_force_next_flush()');
    await admin.query('select pg_stat_clear_snapshot()');
    return admin.query(`select seq_scan from pg_stat_user_tables where relname = 'event'`);
  };
  const before = await scans();
  const asked = [...stored.map(({ id }) => id), ...lost];
  expect((await eventually(() => missing(asked))).toSorted()).toEqual(lost.toSorted());
  expect(await scans()).toEqual(before);
});
