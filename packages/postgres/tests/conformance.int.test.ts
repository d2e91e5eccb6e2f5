import { migrate } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { type Placeholders, prepared } from '@parley/postgres/connecting/prepared';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { classifyFault } from '../src/connecting/errors.ts';

interface Tables {
  thing: { id: number; firstColour: string; detail: { aKey: number } | null };
}

type Open = (url: string, connectionsMax: number) => Kysely<Tables>;

/** The contract of README.md holds for both: a service can replace `openDatabase` with Kysely's own dialect. */
const implementations: [name: string, open: Open][] = [
  ['openDatabase', (url, connectionsMax) => openDatabase<Tables>({ url, logger, connectionsMax }).db],
  ["Kysely's PostgresDialect", openPool],
];

function openPool(url: string, connectionsMax: number): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 5_000,
  });
  // Without listeners, a lost connection ends the process, whether it is idle or in use.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins });
}

describe.each(implementations)('%s', (_name, open) => {
  const stack = new AsyncDisposableStack();
  let url: string;
  let admin: SqlConnection;
  let db: Kysely<Tables>;

  beforeAll(async () => {
    const database = stack.use(await createDatabase('customer'));
    url = database.testUrl;
    const up = async (over: Kysely<unknown>): Promise<void> => {
      await sql`create table thing (id int primary key, first_colour text not null, detail jsonb)`.execute(
        over,
      );
    };
    await migrate({ url, logger }, { '0001-init': { up } });
    admin = stack.use(await openSqlConnection(database.adminUrl));
    db = openOwn();
    const red = { id: 1, firstColour: 'red', detail: { aKey: 1 } };
    const blue = { id: 2, firstColour: 'blue', detail: null };
    await db.insertInto('thing').values([red, blue]).execute();
  });
  afterAll(() => stack.disposeAsync());

  function openOwn(connectionsMax = 10): Kysely<Tables> {
    const own = open(url, connectionsMax);
    stack.defer(() => own.destroy());
    return own;
  }

  const colourOf = (over: Kysely<Tables>, id: number) =>
    over.selectFrom('thing').select('firstColour').where('id', '=', id).executeTakeFirst();

  /** The SQLSTATE of a failed statement, or the code of our classification. */
  const codeOf = async (statement: Promise<unknown>): Promise<unknown> => {
    const fault = await statement.then(
      () => expect.unreachable('the statement should have failed'),
      (error: unknown) => classifyFault(error),
    );
    return fault instanceof Error && 'code' in fault ? fault.code : fault;
  };

  describe('names and results', () => {
    test('names are camelCase in code and snake_case in SQL; keys inside JSON are unchanged', async () => {
      const columns = ['id', 'firstColour', 'detail', 'thing.firstColour as otherName'] as const;
      expect(await db.selectFrom('thing').select(columns).orderBy('id').execute()).toEqual([
        { id: 1, firstColour: 'red', detail: { aKey: 1 }, otherName: 'red' },
        { id: 2, firstColour: 'blue', detail: null, otherName: 'blue' },
      ]);
      const raw = await sql`select first_colour from thing where id = ${1}`.execute(db);
      expect(raw.rows).toEqual([{ firstColour: 'red' }]);
    });

    test('changes return the number of rows', async () => {
      const ids = [1, 2, 3];
      const updated = await sql`update thing set detail = detail where id = any(${ids}::int[])`.execute(db);
      expect(updated).toMatchObject({ rows: [], numAffectedRows: 2n });
      expect((await sql`select id from thing where id = ${0}`.execute(db)).numAffectedRows).toBeUndefined();
    });

    test('int8 is a number', async () => {
      expect((await sql`select count(*) as n from thing`.execute(db)).rows).toEqual([{ n: 2 }]);
    });
  });

  describe('prepared statements', () => {
    const find = prepared((over: Kysely<Tables>, values: Placeholders<{ id: number; colours: string[] }>) =>
      over
        .selectFrom('thing')
        .select(['id', 'firstColour'])
        .where('id', '=', values.id)
        .where('firstColour', '=', sql<string>`any(${values.colours}::text[])`)
        .where('id', '<', 100),
    );

    test('run with the values of each call, inside and outside a transaction', async () => {
      expect(await find(db, { id: 1, colours: ['red', 'blue'] })).toEqual([{ id: 1, firstColour: 'red' }]);
      expect(await find(db, { id: 2, colours: ['red'] })).toEqual([]);
      const inside = db.transaction().execute(async (trx) => {
        await trx.updateTable('thing').set({ firstColour: 'green' }).where('id', '=', 2).execute();
        expect(await find(trx, { id: 2, colours: ['green'] })).toHaveLength(1);
        expect(await find(db, { id: 2, colours: ['green'] })).toHaveLength(0);
        throw new Error('undo');
      });
      await expect(inside).rejects.toThrow('undo');
    });

    test('survive a migration that changes the type of a column', async () => {
      const read = (over: Kysely<Tables>) =>
        sql`select first_colour from thing where id = ${1}`.execute(over);
      const write = () =>
        sql`update thing set detail = detail where id = ${1} returning first_colour`.execute(db);
      const inTransaction = () => db.transaction().execute(read);
      const red = { rows: [{ firstColour: 'red' }] };
      await Promise.all([read(db), write(), inTransaction()]);
      await admin.query('alter table customer.thing alter first_colour type varchar(40)');
      const concurrent = await Promise.all([read(db), read(db), write(), write()]);
      expect(concurrent).toMatchObject([red, red, red, red]);
      await admin.query('alter table customer.thing alter first_colour type text');
      // The caller retries a transaction with a stale plan.
      await eventually(async () => expect(await inTransaction()).toMatchObject(red));
      expect(await read(db)).toMatchObject(red);
    });
  });

  describe('transactions', () => {
    const grey = (id: number) => ({ id, firstColour: 'grey', detail: null });

    test('are atomic', async () => {
      const failing = db.transaction().execute(async (trx) => {
        await trx.insertInto('thing').values(grey(10)).execute();
        await trx.insertInto('thing').values(grey(10)).execute();
      });
      await expect(failing).rejects.toMatchObject({ code: '23505', constraint: 'thing_pkey' });
      expect(await colourOf(db, 10)).toBeUndefined();
    });

    test('that ignore a failed statement are rejected at commit', async () => {
      const hidden = db.transaction().execute(async (trx) => {
        await trx.insertInto('thing').values(grey(11)).execute();
        await sql`select 1 / ${0}::int`.execute(trx).catch(() => {});
      });
      await expect(hidden).rejects.toThrow(/rolled back instead/);
      expect(await colourOf(db, 11)).toBeUndefined();
    });

    test('take an isolation level and an access mode', async () => {
      const settings = db.transaction().setIsolationLevel('serializable').setAccessMode('read only');
      const writing = settings.execute((trx) => trx.insertInto('thing').values(grey(12)).execute());
      // 25006, read_only_sql_transaction, is also the code of a server that has become a standby.
      expect(await codeOf(writing)).toBe('unavailable');
    });

    test('a session keeps its connection', async () => {
      await db.connection().execute(async (one) => {
        await sql`select set_config('parley.mark', 'mine', false)`.execute(one);
        const { rows } = await sql`select current_setting('parley.mark') as mark`.execute(one);
        expect(rows).toEqual([{ mark: 'mine' }]);
      });
    });
  });

  describe('errors', () => {
    test('of one statement do not affect concurrent statements', async () => {
      const divisors = Array.from({ length: 60 }, (_, n) => n % 3);
      const outcomes = await Promise.allSettled(
        divisors.map((divisor) => sql<{ r: number }>`select 60 / ${divisor}::int as r`.execute(db)),
      );
      const expected = divisors.map((divisor) =>
        divisor === 0
          ? { status: 'rejected', reason: { code: '22012' } }
          : { status: 'fulfilled', value: { rows: [{ r: 60 / divisor }] } },
      );
      expect(outcomes).toMatchObject(expected);
    });

    test('of preparing a statement are returned to each caller', async () => {
      const missing = (id: number) => sql`select id from nowhere where id = ${id}`.execute(db);
      const outcomes = await Promise.allSettled([missing(1), missing(2), missing(3), colourOf(db, 1)]);
      const refused = { status: 'rejected', reason: { code: '42P01' } };
      expect(outcomes).toMatchObject([refused, refused, refused, { value: { firstColour: 'red' } }]);
    });

    test('of a slow statement are deadline_exceeded', async () => {
      expect(await codeOf(sql`select pg_sleep(30)`.execute(db))).toBe('deadline_exceeded');
      expect(await colourOf(db, 1)).toEqual({ firstColour: 'red' });
    });

    test('of a lost connection are unavailable, and later statements reconnect', async () => {
      const own = openOwn();
      const lost = [30, 31].map((seconds) => codeOf(sql`select pg_sleep(${seconds}), 'lost'`.execute(own)));
      const ofLost = `from pg_stat_activity where datname = current_database() and state = 'active'
        and usename = 'parley_customer' and query like '%''lost''%'`;
      await eventually(async () => expect(await admin.query(`select ${ofLost}`)).toHaveLength(2));
      await admin.query(`select pg_terminate_backend(pid) ${ofLost}`);
      expect(await Promise.all(lost)).toEqual(['unavailable', 'unavailable']);
      await eventually(async () => expect(await colourOf(own, 1)).toEqual({ firstColour: 'red' }));
    });

    test('of a server that is not there are unavailable', async () => {
      const own = open('postgres://a:b@127.0.0.1:1/none', 10);
      stack.defer(() => own.destroy());
      const codes = await Promise.all([
        codeOf(colourOf(own, 1)),
        codeOf(own.deleteFrom('thing').execute()),
        codeOf(own.transaction().execute((trx) => colourOf(trx, 1))),
      ]);
      expect(codes).toEqual(['unavailable', 'unavailable', 'unavailable']);
    });
  });

  test('cancellation: an aborted signal rejects at once and leaves the connections usable', async () => {
    const aborting = new AbortController();
    const own = openOwn(3);
    const slow = sql`select pg_sleep(1)`.execute(own, { signal: aborting.signal });
    aborting.abort(new Error('no longer needed'));
    await expect(slow).rejects.toThrow('no longer needed');
    expect(await colourOf(own, 1)).toEqual({ firstColour: 'red' });
  });

  test('limits: a transaction waits for a connection, and after three seconds it is unavailable', async () => {
    const own = openOwn(3);
    const release = Promise.withResolvers<void>();
    const held = Array.from({ length: 4 }, () => own.connection().execute(() => release.promise));
    expect(await codeOf(Promise.race(held))).toBe('unavailable');
    const queued = own.deleteFrom('thing').where('id', '=', 0).execute();
    release.resolve();
    await expect(queued).resolves.toBeDefined();
    await Promise.allSettled(held);
  });

  test('closing waits for statements in flight, and later statements are rejected', async () => {
    const own = openOwn(3);
    const begun = Promise.withResolvers<void>();
    const transaction = own.transaction().execute(async (trx) => {
      await colourOf(trx, 2);
      begun.resolve();
      await sql`select pg_sleep(0.1)`.execute(trx);
      return colourOf(trx, 1);
    });
    await begun.promise;
    await own.destroy();
    await expect(transaction).resolves.toEqual({ firstColour: 'red' });
    await expect(colourOf(own, 1)).rejects.toThrow();
    await own.destroy();
  });
});
