import { AsyncLocalStorage } from 'node:async_hooks';
import { batched } from '@parley/postgres/connecting/batched';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { quietLogger } from '@parley/testing/quiet';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

interface Tables {
  thing: { name: string };
}

const stack = new AsyncDisposableStack();
const asker = new AsyncLocalStorage<string>();
let db: Kysely<Tables>;
let written: string[][];
let askers: (string | undefined)[];

beforeAll(async () => {
  const { testUrl: url } = stack.use(await createDatabase('customer'));
  ({ db } = stack.use(openDatabase<Tables>({ url, logger: quietLogger })));
  await sql`create table thing (name text primary key check (name <> 'refused'))`.execute(db);
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  await sql`truncate thing`.execute(db);
  written = [];
  askers = [];
});

const insert = batched(
  async (on: Kysely<Tables>, names: readonly string[]) => {
    written.push([...names]);
    askers.push(asker.getStore());
    const { rows } = await sql<{ name: string }>`
      insert into thing select unnest(${names}::text[]) returning upper(name) as name`.execute(on);
    return rows.map((row) => row.name);
  },
  // A name states its size.
  (name) => Number(/ of (\d+) KiB/.exec(name)?.[1] ?? 0) * 1024,
);

const names = (number: number): string[] => Array.from({ length: number }, (_, index) => `name ${index}`);
const insertAll = (all: string[]) => Promise.allSettled(all.map((name) => insert(db, name)));
const stored = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from thing order by name`.execute(db);
  return rows.map((row) => row.name);
};

test('concurrent writes are one statement, and each gets its own answer', async () => {
  const all = names(50);
  const results = await insertAll(all);
  expect(results).toEqual(all.map((name) => ({ status: 'fulfilled', value: name.toUpperCase() })));
  expect(written).toEqual([all]);
});

test('more writes than one statement accepts are split', async () => {
  const all = names(1_000);
  const results = await insertAll(all);
  expect(results.every((result) => result.status === 'fulfilled')).toBe(true);
  expect((await stored()).length).toBe(1_000);
  expect(written.flat()).toEqual(all);
  expect(Math.max(...written.map((items) => items.length))).toBeLessThanOrEqual(64);
});

test('a statement takes no more writes once it has 1 MiB, and one larger write alone', async () => {
  const all = ['of 600 KiB', 'of 500 KiB', 'of 10 KiB', 'of 5000 KiB', 'of 1 KiB'].map(
    (size, n) => `${n} ${size}`,
  );
  const results = await insertAll(all);
  expect(results.every((result) => result.status === 'fulfilled')).toBe(true);
  expect(written).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
});

test('a rejected write does not affect others', async () => {
  const results = await insertAll(['one', 'refused', 'two', 'two']);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(await stored()).toEqual(['one', 'two']);
});

test('a lost connection fails all writes, and nothing is retried', async () => {
  await db.transaction().execute(async (trx) => {
    await sql`lock table thing in exclusive mode`.execute(trx);
    const results = insertAll(['one', 'two']);
    await eventually(async () => {
      await sql`select pg_stat_clear_snapshot()`.execute(trx);
      const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(trx);
      expect(rows).toHaveLength(1);
    });
    const reason: unknown = expect.objectContaining({ code: 'unavailable' });
    expect(await results).toEqual([1, 2].map(() => ({ status: 'rejected', reason })));
  });
  expect(written).toEqual([['one', 'two']]);
  expect(await stored()).toEqual([]);
});

test('a write in a transaction is part of it, and rolls back with it', async () => {
  const undone = db.transaction().execute(async (trx) => {
    expect(await insert(trx, 'one')).toBe('ONE');
    throw new Error('undone');
  });
  const beside = insert(db, 'two');
  await expect(undone).rejects.toThrow('undone');
  await beside;
  expect(await stored()).toEqual(['two']);
});

test('a statement runs in the context of its first write', async () => {
  const all = names(200);
  await Promise.all(all.map((name) => asker.run(name, () => insert(db, name))));
  expect(askers).toEqual(written.map(([first]) => first));
});
