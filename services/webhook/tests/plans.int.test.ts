import { openSqlSession, type SqlSession } from '@parley/testing/sql';
import { expect, test } from 'vitest';
import { readBacklog } from '../src/delivering/lane-store.ts';
import { replaceBodies } from '../src/intake/redaction-store.ts';
import { standardDelaysMs } from '../src/delivering/backoff.ts';
import { purgeEvents } from '../src/log/retention-store.ts';
import {
  addEvents,
  addHook,
  claim,
  createStore,
  pauseFor,
  result,
  type Store,
  setOptions,
  settleAll,
} from './lanes.ts';
import { readsOf } from './reads.ts';

// What a delivery costs does not depend on how many are due, or done.

/** Fills the tables: so many due deliveries of a hundred webhooks, half of them for later, and as many finished ones. */
async function fill(session: SqlSession, store: Store, deliveries: number): Promise<void> {
  for (let made = 0; made < 100; made += 1) {
    await addHook(store.db, { isPrompt: made % 2 === 0, inFlightMax: 32 });
  }
  await session.query('set search_path = webhook');
  await session.query(
    `insert into event (id, workspace_id, customer_id, body, received_at)
     select uuidv7(), workspace_id, 'c', '{}', now() from lane, generate_series(1, $1)`,
    [deliveries / 100],
  );
  await session.query(`
    insert into open_delivery (id, workspace_id, webhook_id, event_id, due_at)
    select uuidv7(), lane.workspace_id, lane.webhook_id, event.id,
      now() + (random() - 0.5) * interval '1 day'
    from lane join event on event.workspace_id = lane.workspace_id`);
  await session.query(`
    insert into finished_delivery (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at)
    select uuidv7(), workspace_id, webhook_id, event_id, 'succeeded', 1, false, now() from open_delivery`);
  await session.query(`
    insert into attempt (delivery_id, number, workspace_id, started_at, duration_ms)
    select id, 1, workspace_id, now(), 1 from finished_delivery`);
  // With leases that may have run out.
  await session.query('update lane set ready_at = now(), lapses_at = now()');
  await session.query('vacuum analyze');
}

test('claims, results, intake and replacements read by indexes, with 100,000 open and as many finished ones', async () => {
  await using store = await createStore();
  await using session = await openSqlSession(store.adminUrl);
  await fill(session, store, 100_000);
  let delivered = 0;
  // More than once: the plan that serves every value is kept.
  const working = await readsOf(store, session, async (db) => {
    for (let round = 0; round < 10; round += 1) {
      const claimed = await claim(db, { slots: 100 });
      expect(claimed).toHaveLength(100);
      delivered += claimed.length - (await settleAll(db, claimed)).lateIds.length;
    }
  });
  expect(delivered).toBe(1_000);
  expect(working.scans).toBe(0);
  // Of each of up to 128 lanes a few rows to choose from, and each row that is delivered a few times.
  expect(working.rows).toBeLessThan(10 * 5_000);

  const [hook] = await session.query<{ workspaceId: string; id: string }>(
    'select workspace_id as "workspaceId", webhook_id as id from lane limit 1',
  );
  if (!hook) throw new Error('no webhook');
  const others = await readsOf(store, session, async (db) => {
    for (let round = 0; round < 8; round += 1) {
      const [eventId = ''] = await addEvents(db, hook, 1);
      const owner = { workspaceId: hook.workspaceId, customerId: 'c-1', customerVersion: 1 };
      await replaceBodies(db, owner, [{ eventId, body: Buffer.from('{}') }]);
      await readBacklog(db);
      await purgeEvents(db, { retryDelaysMs: standardDelaysMs });
    }
  });
  expect(others.scans).toBe(0);
  expect(others.rows).toBeLessThan(8 * 1_000);

  const pausing = await readsOf(store, session, async (db) => {
    for (let round = 0; round < 8; round += 1) {
      const claimed = await claim(db, { slots: 10 });
      expect(claimed).toHaveLength(10);
      await settleAll(db, claimed, result({ status: 429, error: 'http_429' }), pauseFor(60_000));
    }
  });
  expect(pausing.scans).toBe(0);
  expect(pausing.rows).toBeLessThan(8 * 1_000);
}, 60_000);

test.each([
  ['was never', ''],
  ['was', 'vacuum analyze'],
])(
  'what was planned for nearly empty tables is right for full ones, where that %s known',
  async (_, known) => {
    await using store = await createStore();
    await using session = await openSqlSession(store.adminUrl);
    await session.query('set search_path = webhook');
    for (const table of ['lane', 'open_delivery', 'event']) {
      await session.query(`alter table ${table} set (autovacuum_enabled = false)`);
    }
    const hooks = await Promise.all(Array.from({ length: 5 }, () => addHook(store.db, { inFlightMax: 32 })));
    const work = async (db: Store['db']): Promise<number> => {
      for (const hook of hooks) await addEvents(db, hook, 2);
      const claimed = await claim(db);
      await settleAll(db, claimed);
      return claimed.length;
    };
    expect(await work(store.db)).toBe(10);
    if (known) await session.query(known);
    const reads = await readsOf(store, session, async (db) => {
      expect(await work(db)).toBe(10);
      for (const hook of hooks) {
        for (let batch = 0; batch < 10; batch += 1) await addEvents(store.db, hook, 500);
      }
      for (let round = 0; round < 5; round += 1) expect(await work(db)).toBeGreaterThan(0);
    });
    // By scans it was all of the 25,000 that are open, each time.
    expect(reads.rows).toBeLessThan(10_000);
  },
  60_000,
);

test('what waits for an earlier one is not read, however much it is', async () => {
  await using store = await createStore();
  await using session = await openSqlSession(store.adminUrl);
  const { db } = store;
  const hook = await addHook(db, { isPrompt: true, inFlightMax: 32 });
  await setOptions(db, hook, { ordering: 'perCustomer' });
  for (let batch = 0; batch < 30; batch += 1) await addEvents(db, hook, 500, { customerId: 'stuck' });
  await session.query('vacuum analyze');
  const reads = await readsOf(store, session, async (own) => {
    for (let round = 0; round < 10; round += 1) {
      await addEvents(own, hook, 3, { customerId: `c-${round}` });
      const claimed = await claim(own);
      await settleAll(own, claimed);
      // Of those of before, one of each that has any left.
      expect(claimed).toHaveLength(Math.min(round + 2, 4));
    }
  });
  expect(reads.scans).toBe(0);
  expect(reads.rows).toBeLessThan(10 * 100);
}, 60_000);
