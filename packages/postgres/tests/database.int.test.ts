import { migrate, type Migration } from '@parley/postgres/migrate';
import { openDatabase } from '@parley/postgres/open';
import { countRows } from '@parley/postgres/row-count';
import {
  createIdempotencyTable,
  idempotent,
  type IdempotencyTable,
  purgeIdempotencyRecords,
} from '@parley/postgres/idempotency';
import { createDatabase } from '@parley/testing/database';
import { quietLogger } from '@parley/testing/quiet';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

interface Tables {
  thing: { id: number; colour: string };
  thingCount: { colour: string; slot: number; n: number };
  idempotencyRecord: IdempotencyTable;
}

const init: Migration = {
  up: async (db) => {
    await sql`create table thing (id int primary key, colour text not null)`.execute(db);
    await countRows(db, 'thing', { colour: 'text' });
    await createIdempotencyTable(db);
  },
};

const workspaceId = '01890000-0000-7000-8000-000000000000';
const codec = {
  encode: (message: { id: number }) => ({ finish: () => Buffer.from(JSON.stringify(message)) }),
  decode: (bytes: Uint8Array): { id: number } => JSON.parse(Buffer.from(bytes).toString()) as { id: number },
};

const stack = new AsyncDisposableStack();
let db: Kysely<Tables>;
let url: string;

beforeAll(async () => {
  const database = stack.use(await createDatabase('customer'));
  url = database.url;
  const opened = stack.use(openDatabase<Tables>({ url, logger: quietLogger, isScoped: false }));
  db = opened.db;
  // Copies of a service start at once.
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
    await expect(migrate({ url, logger: quietLogger }, { '0001-init': init })).resolves.toBeUndefined();
  });

  test('puts the tables into the schema of the role, which can create in no other', async () => {
    const { rows } = await sql<{ tableSchema: string }>`
      select table_schema from information_schema.tables where table_name = 'thing'`.execute(db);
    expect(rows).toEqual([{ tableSchema: 'customer' }]);
    await expect(sql`create table public.stray (id int)`.execute(db)).rejects.toThrow(/permission denied/);
  });
});

describe('countRows', () => {
  test('is exact over inserts, updates, deletes and roll-backs at once', async () => {
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

describe('idempotent', () => {
  const run = (scope: string, body: string, id: number) =>
    idempotent<Tables, { id: number }>(db, {
      key: { scope, fingerprint: Buffer.from(body) },
      workspaceId,
      subject: 'a',
      codec,
      effect: async (trx) => {
        await trx.insertInto('thing').values({ id, colour: 'grey' }).execute();
        return { id };
      },
    });

  test('twenty calls at once make one thing and get one answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => run('twenty', 'body', 100 + index)),
    );
    expect(new Set(answers.map(({ message }) => message.id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await total('grey')).toBe(1);
  });

  test('another body under the key is refused', async () => {
    await run('other-body', 'one', 200);
    await expect(run('other-body', 'two', 201)).rejects.toMatchObject({ type: 'idempotency-key-reused' });
  });

  test('an effect that fails does not use the key up', async () => {
    await expect(run('failing', 'body', 200)).rejects.toThrow(/duplicate key/);
    await expect(run('failing', 'body', 202)).resolves.toEqual({ message: { id: 202 }, replayed: false });
  });

  test('a key counts anew after a day, and old records are deleted', async () => {
    await run('old', 'one', 300);
    await sql`update idempotency_record set created_at = now() - interval '25 hours' where scope = 'old'`.execute(
      db,
    );
    await expect(run('old', 'two', 301)).resolves.toEqual({ message: { id: 301 }, replayed: false });
    await sql`update idempotency_record set created_at = now() - interval '25 hours' where scope = 'old'`.execute(
      db,
    );
    await purgeIdempotencyRecords(db);
    const { rows } = await sql`select 1 from idempotency_record where scope = 'old'`.execute(db);
    expect(rows).toEqual([]);
  });
});
