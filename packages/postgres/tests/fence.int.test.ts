import {
  createFence,
  createHashedFences,
  fenceVersion,
  hashOldFences,
  raiseFence,
  raiseLowFences,
} from '@parley/postgres/fence';
import { openDatabase } from '@parley/postgres/connecting/open';
import { migrate, type Migration } from '@parley/postgres/schema/migrate';
import { createDatabase } from '@parley/testing/database/database';
import { openSqlConnection } from '@parley/testing/database/sql';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';

const released: Record<string, Migration> = { '0001-init': { up: createFence } };
const migrations = { ...released, '0002-hashed-fences': { up: createHashedFences } };
const workspaceId = '01890000-0000-7000-8000-000000000000';
const customerId = 'mary@example.com';
const mary = { workspaceId, customerId };

let stack: AsyncDisposableStack;
let url: string;
let db: Kysely<unknown>;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  ({ testUrl: url } = stack.use(await createDatabase('customer')));
  ({ db } = stack.use(openDatabase<unknown>({ url, logger })));
  await migrate({ url, logger }, released);
});
afterEach(() => stack.disposeAsync());

const upgrade = () => migrate({ url, logger }, migrations);

/** Returns the versions that the functions return: the ones of holders, and of readers. */
async function versionsOf(customer = mary): Promise<number[]> {
  const { rows } = await sql<{ held: number; tried: number; read: number }>`
    select held.version as held, tried.version as tried, ${fenceVersion(customer)} as read
    from hold_fence(${customer.workspaceId}::uuid, ${customer.customerId}::text) as held,
      try_to_hold_fence(${customer.workspaceId}::uuid, ${customer.customerId}::text) as tried`.execute(db);
  return rows.flatMap(({ held, tried, read }) => [held, tried, read]);
}

/** Returns the versions that a replica of release 0.2.0 reads: itself, and by the function. */
async function versionsOfOldReplica(): Promise<(number | undefined)[]> {
  const direct = await sql<{ version: number }>`
    select version from fence where workspace_id = ${workspaceId} and customer_id = ${customerId}`.execute(
    db,
  );
  const { rows } = await sql<{ version: number }>`
    select fence.version from hold_fence(${workspaceId}::uuid, ${customerId}::text) as fence`.execute(db);
  return [direct.rows[0]?.version, rows[0]?.version];
}

async function afterHours(hours: number): Promise<void> {
  await sql`update fence set raised_at = raised_at - make_interval(hours => ${hours})`.execute(db);
  expect(await hashOldFences(db)).toBe(false);
}

/** Returns all rows as text. */
async function dump(): Promise<string> {
  const { rows } = await sql<{ row: string }>`
    select fence::text as row from fence union all select hashed_fence::text from hashed_fence`.execute(db);
  return rows.map(({ row }) => row).join('\n');
}

test('a fence forgets the id of its customer after a day, and holds on', async () => {
  await upgrade();
  await raiseFence(db, mary, 3);
  await afterHours(23);
  expect(await dump()).toContain(customerId);
  await afterHours(2);
  expect(await dump()).not.toContain(customerId);
  expect(await versionsOf()).toEqual([3, 3, 3]);
  expect(await versionsOf({ ...mary, customerId: 'another' })).toEqual([0, 0, 0]);
  expect(await versionsOf({ ...mary, workspaceId: '01890000-0000-7000-8000-000000000001' })).toEqual([
    0, 0, 0,
  ]);
});

test('a fence without the id never falls, and rises for a customer that is created again', async () => {
  await upgrade();
  await raiseFence(db, mary, 3);
  await afterHours(25);
  await raiseFence(db, mary, 2);
  await raiseLowFences(db, workspaceId, [{ customerId, version: 3 }]);
  expect(await versionsOf()).toEqual([3, 3, 3]);
  expect(await dump()).not.toContain(customerId);
  await raiseLowFences(db, workspaceId, [{ customerId, version: 5 }]);
  expect(await versionsOf()).toEqual([5, 5, 5]);
  await afterHours(25);
  expect(await dump()).not.toContain(customerId);
  expect(await versionsOf()).toEqual([5, 5, 5]);
});

test('a fence that rises again keeps the id for a day from then', async () => {
  await upgrade();
  await raiseFence(db, mary, 3);
  await sql`update fence set raised_at = now() - interval '25 hours'`.execute(db);
  await raiseFence(db, mary, 4);
  expect(await hashOldFences(db)).toBe(false);
  expect(await versionsOfOldReplica()).toEqual([4, 4]);
});

test('fences from before the migration hold, and forget their ids a day after it', async () => {
  await raiseFence(db, mary, 3);
  // On all connections, plans of the replaced functions are cached.
  await Promise.all(Array.from({ length: 20 }, versionsOfOldReplica));
  await upgrade();
  expect(await versionsOf()).toEqual([3, 3, 3]);
  expect(await versionsOfOldReplica()).toEqual([3, 3]);
  await afterHours(25);
  expect(await versionsOf()).toEqual([3, 3, 3]);
  expect(await dump()).not.toContain(customerId);
});

test('a replica of the last release reads and raises fences beside, for a day', async () => {
  await upgrade();
  await sql`select raise_fence(${workspaceId}::uuid, ${customerId}::text, 2)`.execute(db);
  expect(await versionsOf()).toEqual([2, 2, 2]);
  await raiseFence(db, mary, 3);
  expect(await versionsOfOldReplica()).toEqual([3, 3]);
  await afterHours(25);
  // It asks the function before it writes.
  expect(await versionsOfOldReplica()).toEqual([undefined, 3]);
});

test('the search for old fences reads no young one, however many there are', async () => {
  await upgrade();
  // Without the time limit of a statement of `db`, which a busy machine may exceed.
  await using session = await openSqlConnection(url);
  await session.query(
    `insert into fence (workspace_id, customer_id, version)
     select $1::uuid, 'c-' || n, 2 from generate_series(1, 20000) as n`,
    [workspaceId],
  );
  await sql`analyze fence`.execute(db);
  await db.transaction().execute(async (trx) => {
    expect(await hashOldFences(trx)).toBe(false);
    const { rows } = await sql<{ read: number }>`
      select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'fence'`.execute(
      trx,
    );
    expect(rows).toEqual([{ read: 0 }]);
  });
});

test('a fence that rises while the migration replaces the functions is kept', async () => {
  await using holder = await openSqlConnection(url);
  await using raiser = await openSqlConnection(url);
  await holder.query(`begin; select hold_fence('${workspaceId}', '${customerId}')`);
  const raising = raiser.query(`select raise_fence('${workspaceId}', '${customerId}', 3)`);
  const waiting = async (count: number): Promise<void> => {
    const { rows } = await sql`
      select from pg_locks where not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(db);
    expect(rows).toHaveLength(count);
  };
  await eventually(() => waiting(1));
  const upgrading = upgrade();
  await eventually(() => waiting(2));
  await holder.query('commit');
  await Promise.all([raising, upgrading]);
  expect(await versionsOf()).toEqual([3, 3, 3]);
  await afterHours(25);
  expect(await versionsOf()).toEqual([3, 3, 3]);
});

test('replicas that hash at once lose no fence', async () => {
  await upgrade();
  const customers = Array.from({ length: 2_500 }, (_, at) => ({ customerId: `c-${at}`, version: 2 }));
  await sql`
    insert into fence (workspace_id, customer_id, version, raised_at)
    select ${workspaceId}::uuid, 'c-' || n, 2, now() - interval '2 days' from generate_series(0, 2499) as n`.execute(
    db,
  );
  const hashAll = async (): Promise<void> => {
    while (await hashOldFences(db));
  };
  await Promise.all([hashAll(), hashAll(), raiseFence(db, { workspaceId, customerId: 'c-7' }, 3)]);
  const { rows } = await sql<{ version: number }>`
    select fence_version(${workspaceId}::uuid, customer_id) as version
    from unnest(${customers.map(({ customerId: id }) => id)}::text[]) with ordinality as c (customer_id, n)
    order by n`.execute(db);
  expect(rows.map(({ version }) => version)).toEqual(customers.map((_, at) => (at === 7 ? 3 : 2)));
});
