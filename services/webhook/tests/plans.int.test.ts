import { openDatabase } from '@parley/postgres/open';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlSession, type SqlSession } from '@parley/testing/sql';
import { expect, test } from 'vitest';
import { replaceBodies } from '../src/event-store.ts';
import { readBacklog } from '../src/lane-store.ts';
import { purgeEvents } from '../src/retention-store.ts';
import type { Tables } from '../src/schema.ts';
import { addEvents, addHook, claim, createStore, settleAll, type Store } from './lanes.ts';

// What a delivery costs does not depend on how many are due, or done.

/** How many rows of the tables that grow were read, and how often one was read from one end to the other. */
interface Reads {
  scans: number;
  rows: number;
}

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
  await session.query('update lane set ready_at = now()');
  await session.query('vacuum analyze');
}

async function reads(session: SqlSession): Promise<Reads> {
  await session.query('select pg_stat_force_next_flush()');
  await session.query('select pg_stat_clear_snapshot()');
  const [found] = await session.query<Reads>(
    `select sum(seq_scan)::int as scans, sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows
     from pg_stat_user_tables
     -- Those of today: a partition with next to nothing in it may as well be read as a whole.
     where schemaname = 'webhook' and relname ~ '^(event|open_delivery|finished_delivery|attempt)' and n_live_tup > 10000`,
  );
  return found ?? { scans: 0, rows: 0 };
}

/** Runs `work` on a connection of its own, whose reads are told when it ends, and answers what was read. */
async function readsOf(
  store: Store,
  session: SqlSession,
  work: (db: Store['db']) => Promise<void>,
): Promise<Reads> {
  const before = await reads(session);
  {
    await using opened = openDatabase<Tables>({ url: store.url, logger });
    await work(opened.db);
  }
  const after = await reads(session);
  return { scans: after.scans - before.scans, rows: after.rows - before.rows };
}

test('claims, results, intake and replacements read by indexes, with 100,000 open and as many finished ones', async () => {
  await using store = await createStore();
  await using session = await openSqlSession(store.adminUrl);
  await fill(session, store, 100_000);
  let delivered = 0;
  // Often enough for the plans that serve every value (plan_cache_mode auto: from the sixth time on).
  const working = await readsOf(store, session, async (db) => {
    for (let round = 0; round < 10; round += 1) {
      const claimed = await claim(db, { slots: 100 });
      expect(claimed).toHaveLength(100);
      delivered += (await settleAll(db, claimed)).ids.size;
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
      await purgeEvents(db);
    }
  });
  expect(others.scans).toBe(0);
  expect(others.rows).toBeLessThan(8 * 1_000);
}, 60_000);
