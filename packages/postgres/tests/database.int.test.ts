import { migrate, type Migration } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { countRows } from '@parley/postgres/sql/row-count';
import { createDatabase } from '@parley/testing/database/database';
import { quietLogger } from '@parley/testing/quiet';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

interface Tables {
  thing: { id: number; colour: string };
  thingCount: { colour: string; slot: number; n: number };
}

const init: Migration = {
  up: async (db) => {
    await sql`create table thing (id int primary key, colour text not null)`.execute(db);
    await countRows(db, 'thing', { colour: 'text' });
  },
};

const stack = new AsyncDisposableStack();
let db: Kysely<Tables>;
let url: string;

beforeAll(async () => {
  const database = stack.use(await createDatabase('customer'));
  url = database.testUrl;
  const opened = stack.use(openDatabase<Tables>({ url, logger: quietLogger }));
  db = opened.db;
  // Replicas of a service start concurrently.
  await Promise.all([1, 2, 3].map(() => migrate({ url, logger: quietLogger }, { '0001-init': init })));
});
afterAll(() => stack.disposeAsync());

const total = async (colour: string): Promise<number> => {
  const sum = sql<number>`coalesce(sum(n), 0)::int`.as('total');
  const row = await db
    .selectFrom('thingCount')
    .where('colour', '=', colour)
    .select(sum)
    .executeTakeFirstOrThrow();
  return row.total;
};

describe('migrate', () => {
  test('changes nothing the second time', async () => {
    const before = await migrate({ url, logger: quietLogger }, { '0001-init': init });
    expect(before).toEqual({ missing: [], unknown: [] });
  });

  test('puts the tables into the schema of the role, which can create in no other', async () => {
    const { rows } = await sql<{ tableSchema: string }>`
      select table_schema from information_schema.tables where table_name = 'thing'`.execute(db);
    expect(rows).toEqual([{ tableSchema: 'customer' }]);
    await expect(sql`create table public.stray (id int)`.execute(db)).rejects.toThrow(/permission denied/);
  });
});

describe('countRows', () => {
  test('is exact under concurrent inserts, updates, deletes and rollbacks', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, id) => db.insertInto('thing').values({ id, colour: 'red' }).execute()),
    );
    await db.updateTable('thing').set({ colour: 'blue' }).where('id', '<', 15).execute();
    await db.deleteFrom('thing').where('id', '<', 5).execute();
    const undone = db.transaction().execute(async (trx) => {
      await trx.deleteFrom('thing').execute();
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect([await total('red'), await total('blue'), await total('green')]).toEqual([25, 10, 0]);
  });
});
