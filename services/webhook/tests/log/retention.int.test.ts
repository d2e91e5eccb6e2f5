import { randomUUID } from 'node:crypto';
import { maintainPartitions, reportMissingRights } from '@parley/postgres/schema/partitions';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addTestEvent } from '../../src/controls/controls-store.ts';
import { listDeliveries } from '../../src/log/log-store.ts';
import { partitionDaysKept, partitioned } from '../../src/deliveries/partitions.ts';
import { purgeByAge, purgeEvents } from '../../src/log/retention-store.ts';
import { standardDelaysMs } from '../../src/scheduling/attempts/backoff.ts';
import {
  addEvents,
  addHook,
  createStore,
  due,
  type Hook,
  ownAll,
  recordAll,
  type Store,
} from '../lanes/lanes.ts';

let store: Store;
let session: SqlConnection;
beforeAll(async () => {
  store = await createStore();
  session = await openSqlConnection(store.adminUrl);
  await session.query('set search_path = webhook');
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await session.query('truncate event, open_delivery, finished_delivery, attempt, lane_hour');
});

async function partitions(parent: string): Promise<string[]> {
  const rows = await session.query<{ name: string }>(
    `select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
     where inhparent = ('webhook.' || $1)::regclass order by 1`,
    [parent],
  );
  return rows.map((row) => row.name);
}

const dayName = (parent: string, days: number): string => {
  const day = new Date(Date.now() + days * 24 * 60 * 60 * 1_000);
  return `${parent}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
};

test('partitions exist for a week ahead; those older than thirty days are dropped with their rows', async () => {
  for (const parent of ['finished_delivery', 'attempt']) {
    for (let days = 29; days <= 60; days++) {
      await session.query(`select make_partition($1, (now() at time zone 'utc')::date - $2::int)`, [
        parent,
        days,
      ]);
    }
  }
  await session.query(`
    insert into finished_delivery
      (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at, finished_at)
    select uuidv7(), uuidv7(), uuidv7(), uuidv7(), 'succeeded', 1, false, now(), now() - days * interval '1 day'
    from unnest(array[31, 29]) as days`);
  await Promise.all([
    maintainPartitions(store.db, partitionDaysKept),
    maintainPartitions(store.db, partitionDaysKept),
    maintainPartitions(store.db, partitionDaysKept),
  ]);
  for (const parent of ['finished_delivery', 'attempt']) {
    const there = await partitions(parent);
    expect(there.filter((name) => name < dayName(parent, -30))).toEqual([]);
    for (const days of [-30, -29, 0, 1, 7]) expect(there).toContain(dayName(parent, days));
  }
  expect(await session.query('select count(*)::int as kept from finished_delivery')).toEqual([{ kept: 1 }]);
});

test('partitions whose drops take longer in all than a transaction may be idle are all dropped', async () => {
  for (let days = 31; days <= 41; days++) {
    await session.query(`select make_partition('attempt', (now() at time zone 'utc')::date - $1::int)`, [
      days,
    ]);
  }
  const [known] = await session.query<{ text: string }>(
    `select pg_get_functiondef('drop_partition'::regproc) as text`,
  );
  await session.query(`
    create or replace function drop_partition(name text) returns void language plpgsql as $body$
    begin
      perform pg_sleep(0.5);
      execute format('drop table if exists %I', name);
    end $body$`);
  await maintainPartitions(store.db, partitionDaysKept);
  await session.query(known?.text ?? '');
  const there = await partitions('attempt');
  expect(there.filter((name) => name < dayName('attempt', -30))).toEqual([]);
});

test('an old partition that is in use stays, and keeps neither new ones from being made nor others from being dropped', async () => {
  await using reader = await openSqlConnection(store.adminUrl);
  const parents = ['finished_delivery', 'attempt'];
  for (const parent of parents) {
    for (const days of [33, 32, 31]) {
      await session.query(`select make_partition($1, (now() at time zone 'utc')::date - $2::int)`, [
        parent,
        days,
      ]);
    }
    await session.query(`drop table ${dayName(parent, 7)}`);
  }
  const used = dayName('attempt', -32);
  await reader.query('begin');
  await reader.query(`lock table webhook.${used} in access share mode`);
  await expect(maintainPartitions(store.db, partitionDaysKept)).rejects.toThrow(AggregateError);
  for (const parent of parents) {
    const there = await partitions(parent);
    expect(there).toContain(dayName(parent, 7));
    expect(there.filter((name) => name < dayName(parent, -30))).toEqual(parent === 'attempt' ? [used] : []);
  }
  await reader.query('commit');
  await maintainPartitions(store.db, partitionDaysKept);
  expect(await partitions('attempt')).not.toContain(used);
});

test('hourly statistics are kept for seven days', async () => {
  const { db } = store;
  await session.query(`
    insert into webhook.lane_hour (webhook_id, workspace_id, hour, attempts, failures, total_ms, max_ms)
    select uuidv7(), uuidv7(), now() - (7 * 24 + offset_hours) * interval '1 hour', 1, 0, 1, 1
    from unnest(array[-1, 1]) as offset_hours, generate_series(1, 5000)`);
  expect(await purgeByAge(db, { eventRetentionDays: 30 })).toBe(true);
  expect(await purgeByAge(db, { eventRetentionDays: 30 })).toBe(false);
  expect(
    await session.query(`
      select count(*)::int as kept, bool_and(hour > now() - interval '7 days') as "areYoung" from webhook.lane_hour`),
  ).toEqual([{ kept: 5_000, areYoung: true }]);
});

test('partitions are created and dropped during deliveries', async () => {
  const { db } = store;
  const hook = await addHook(db);
  const owner = await ownAll(db);
  for (let pass = 0; pass < 10; pass += 1) {
    await session.query(`select make_partition('attempt', (now() at time zone 'utc')::date - 40)`);
    await addEvents(db, hook, 5);
    const read = await due(db, [hook]);
    expect(read).toHaveLength(5);
    const [late] = await Promise.all([recordAll(db, owner, read), maintainPartitions(db, partitionDaysKept)]);
    expect(late).toEqual(new Set());
  }
});

const day = 24 * 60 * 60 * 1_000;

function logOf({ workspaceId, id: webhookId }: Hook) {
  const all = { states: ['succeeded'], since: null, until: null, beforeId: null };
  return listDeliveries(store.db, { workspaceId, webhookId, ...all }, 10);
}

/** Sets when an event arrived and its deliveries were finished, as SQL expressions. */
async function date(session: SqlConnection, eventId: string, received: string, finished?: string) {
  await session.query(`update event set received_at = ${received} where id = $1`, [eventId]);
  if (!finished) return;
  await session.query(`select make_partition('finished_delivery', (${finished} at time zone 'utc')::date)`);
  await session.query(`update finished_delivery set finished_at = ${finished} where event_id = $1`, [
    eventId,
  ]);
}

const daysAgo = (days: number): string => `(now() - interval '${days} days')`;

test('an event is kept as long as its delivery is in the log, whatever the duration of attempts and pauses', async () => {
  const { db } = store;
  const hook = await addHook(db);
  const [eventId = ''] = await addEvents(db, hook, 1);
  await recordAll(db, await ownAll(db), await due(db, [hook]));
  const events = () => session.query<{ id: string }>('select id from event');
  // Each pause may be a fifth longer. The last free one begins at the end of the third day, and lasts one day.
  const hours = (standardDelaysMs.reduce((sum, ms) => sum + ms, 0) * 1.2) / (day / 24) + 4 * 24;
  const oldest = `(date_trunc('day', now(), 'UTC') - interval '30 days')`;
  await date(session, eventId, `${oldest} - interval '${hours} hours'`, oldest);
  await maintainPartitions(db, partitionDaysKept);
  await purgeEvents(db, { retryDelaysMs: standardDelaysMs });
  expect(await logOf(hook)).toMatchObject([{ eventId }]);
  expect(await events()).toEqual([{ id: eventId }]);

  await date(session, eventId, daysAgo(40), daysAgo(40));
  await maintainPartitions(db, partitionDaysKept);
  expect(await logOf(hook)).toEqual([]);
  await purgeEvents(db, { retryDelaysMs: [...standardDelaysMs, 2 * day] });
  expect(await events()).toEqual([{ id: eventId }]);
  await purgeEvents(db, { retryDelaysMs: standardDelaysMs });
  expect(await events()).toEqual([]);
});

test('an event is deleted in time, unless a delivery is open', async () => {
  const { db } = store;
  const hook = await addHook(db);
  const [settledId = '', recentId = '', openId = ''] = await addEvents(db, hook, 3);
  const read = await due(db, [hook]);
  await recordAll(
    db,
    await ownAll(db),
    read.filter((one) => one.eventId !== openId),
  );
  await date(session, settledId, daysAgo(40));
  await date(session, openId, daysAgo(40));
  await date(session, recentId, daysAgo(38));
  expect(await purgeEvents(db, { retryDelaysMs: standardDelaysMs })).toBe(false);
  const left = await session.query<{ id: string }>('select id from event');
  expect(left.map(({ id }) => id).toSorted()).toEqual([openId, recentId].toSorted());
});

test('a late retry loses its event before its log entry; a test event stays marked to the end', async () => {
  const { db } = store;
  const hook = await addHook(db);
  const [eventId = ''] = await addEvents(db, hook, 1);
  const testId = randomUUID();
  const { workspaceId, id: webhookId } = hook;
  await addTestEvent(db, { workspaceId, webhookId }, { id: testId, name: 'Test', data: {}, result: {} });
  await recordAll(db, await ownAll(db), await due(db, [hook]));
  for (const id of [eventId, testId]) await date(session, id, daysAgo(45), daysAgo(20));
  await purgeEvents(db, { retryDelaysMs: standardDelaysMs });
  expect(await session.query('select id from event')).toEqual([{ id: testId }]);
  const logged = await logOf(hook);
  expect(new Map(logged.map((one) => [one.eventId, one.isTest]))).toEqual(
    new Map([
      [eventId, false],
      [testId, true],
    ]),
  );

  for (const id of [eventId, testId]) await date(session, id, daysAgo(45), daysAgo(40));
  await maintainPartitions(db, partitionDaysKept);
  await purgeEvents(db, { retryDelaysMs: standardDelaysMs });
  expect(await logOf(hook)).toEqual([]);
  expect(await session.query('select id from event')).toEqual([]);
});

test('a right that the role lacks to create partitions is an error at the start, not days later', async () => {
  const report = async (): Promise<unknown[]> => {
    const error = vi.spyOn(logger, 'error').mockClear();
    await reportMissingRights(store.db, partitioned, logger);
    return error.mock.calls.map(([fields]) => fields);
  };
  expect(await report()).toEqual([]);
  await session.query('revoke create on schema webhook from parley_webhook');
  await session.query('alter table attempt owner to current_user');
  const missing = 'CREATE on the schema webhook, ownership of the table attempt';
  expect(await report()).toEqual([{ missing, daysAhead: 7 }]);
  await session.query('grant create on schema webhook to parley_webhook');
  await session.query('alter table attempt owner to parley_webhook');
  expect(await report()).toEqual([]);
});
