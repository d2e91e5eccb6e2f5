import { randomBytes } from 'node:crypto';
import { reads } from '@parley/postgres/sql/dialect';
import { migrate } from '@parley/postgres/schema/migrate';
import { type Database, openDatabase } from '@parley/postgres/connecting/open';
import { createDatabase } from '@parley/testing/database/database';
import { readMetrics } from '@parley/runtime/metrics/metric-values';
import { eventually } from '@parley/testing/eventually';
import { quietLogger } from '@parley/testing/quiet';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProxy } from './proxy.ts';

interface Tables {
  thing: { id: number; firstColour: string; detail: { aKey: number } | null };
}

const stack = new AsyncDisposableStack();
let url: string;
let admin: pg.Client;
let locker: pg.Client;
let database: Database<Tables>;
let db: Kysely<Tables>;

beforeAll(async () => {
  const created = stack.use(await createDatabase('customer'));
  url = created.testUrl;
  const up = (over: Kysely<unknown>) =>
    sql`create table thing (id int primary key, first_colour text not null, detail jsonb)`.execute(over);
  await migrate({ url, logger: quietLogger }, { '0001-init': { up: async (over) => void (await up(over)) } });
  admin = await connectAdmin(created.adminUrl);
  locker = await connectAdmin(created.adminUrl);
  database = stack.use(openDatabase<Tables>({ url, logger: quietLogger }));
  db = database.db;
  await db
    .insertInto('thing')
    .values([
      { id: 1, firstColour: 'red', detail: { aKey: 1 } },
      { id: 2, firstColour: 'blue', detail: null },
    ])
    .execute();
});
afterAll(() => stack.disposeAsync());

async function connectAdmin(adminUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  stack.defer(() => client.end());
  await client.query('set search_path = customer');
  return client;
}

const colourOf = (over: Kysely<Tables>, id: number) =>
  over.selectFrom('thing').select('firstColour').where('id', '=', id).executeTakeFirst();

/** How many statements that contain the text are in this state. */
async function countBackends(state: string, text: string): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and usename = 'parley_customer' and query like $2
       and case $1 when 'waiting' then wait_event_type = 'Lock' else state = $1 end`,
    [state, `%${text}%`],
  );
  return rows[0]?.n ?? 0;
}

test('statements can be planned once for all values, together with the options in the URL', async () => {
  const settings = async (own: Kysely<Tables>) =>
    (
      await sql`select current_setting('plan_cache_mode') as plans, current_setting('geqo_seed') as seed`.execute(
        own,
      )
    ).rows;
  await using usual = openDatabase<Tables>({ url, logger: quietLogger });
  expect(await settings(usual.db)).toEqual([{ plans: 'auto', seed: '0' }]);
  const more = new URL(url);
  more.searchParams.set('options', '-c geqo_seed=0.5');
  for (const [given, seed] of [
    [url, '0'],
    [more.href, '0.5'],
  ] as const) {
    await using own = openDatabase<Tables>({
      url: given,
      logger: quietLogger,
      plansOnce: true,
    });
    expect(await settings(own.db)).toEqual([{ plans: 'force_generic_plan', seed }]);
  }
});

test('a password with a literal % is accepted, with and without generic plans', async () => {
  const role = `percent_${randomBytes(6).toString('hex')}`;
  await admin.query(`create role ${role} login password '50%off' in role parley_customer`);
  stack.defer(() => admin.query(`drop role ${role}`).then(() => {}));
  const own = url.replace(/\/\/.*@/, `//${role}:50%off@`);
  for (const plansOnce of [false, true]) {
    await using opened = openDatabase<Tables>({ url: own, logger: quietLogger, plansOnce });
    const { rows } = await sql`select current_user as who`.execute(opened.db);
    expect(rows).toEqual([{ who: role }]);
  }
});

test('a name cannot break out of its quotes', async () => {
  const { rows } = await sql`select 1 as ${sql.ref('a" from thing; --')}`.execute(db);
  expect(Object.keys(rows[0] ?? {})).toEqual(['a" from thing; --']);
});

test('several statements in one text return no rows', async () => {
  expect(await sql.raw('select 1; select 2').execute(db)).toEqual({ rows: [] });
});

test('a transaction that its holder leaves open is rolled back', async () => {
  await locker.query('begin');
  await locker.query('select from thing where id = 1 for update');
  const left = db.connection().execute(async (one) => {
    await sql`begin`.execute(one);
    await sql`set local lock_timeout = '50ms'`.execute(one);
    await sql`update thing set detail = detail where id = ${1} returning id as left_open`.execute(one);
  });
  await expect(left).rejects.toMatchObject({ code: 'unavailable' });
  await locker.query('rollback');
  await eventually(async () =>
    expect(await countBackends('idle in transaction (aborted)', 'left_open')).toBe(0),
  );
});

test('the stack of a failed statement names its caller', async () => {
  const runIt = async (): Promise<unknown> => await sql`select 1 / ${0}::int`.execute(db);
  await expect(runIt()).rejects.toMatchObject({ stack: expect.stringContaining('runIt') });
});

describe('waiting', () => {
  test('for a row blocks neither reads nor other writes', async () => {
    await locker.query('begin');
    await locker.query('select from thing where id = 1 for update');
    const waiting = [0, 1, 2].map(() =>
      db.updateTable('thing').set({ firstColour: 'red' }).where('id', '=', 1).execute(),
    );
    await eventually(async () =>
      expect(await countBackends('waiting', 'update "thing"')).toBe(waiting.length),
    );
    const blue = { firstColour: 'blue' };
    await expect(colourOf(db, 2)).resolves.toEqual(blue);
    await expect(db.updateTable('thing').set(blue).where('id', '=', 2).execute()).resolves.toBeDefined();
    await expect(db.transaction().execute((trx) => colourOf(trx, 1))).resolves.toBeDefined();
    expect(await countBackends('waiting', 'update "thing"')).toBe(waiting.length);
    await locker.query('rollback');
    await Promise.all(waiting);
  });

  test('of a read blocks only statements that were sent at the same moment', async () => {
    await locker.query('begin');
    await locker.query('lock table thing in access exclusive mode');
    const held = colourOf(db, 1);
    await eventually(async () => expect(await countBackends('waiting', 'select "first_colour"')).toBe(1));
    // Reads that were sent directly after it may wait too. Later reads must not.
    const asked: Promise<unknown>[] = [];
    const answers: unknown[] = [];
    await eventually(() => {
      asked.push(sql`select ${1}::int as n`.execute(reads(db)).then(({ rows }) => answers.push(...rows)));
      expect(answers).toContainEqual({ n: 1 });
    });
    await expect(database.isReady()).resolves.toBe(true);
    expect(await countBackends('waiting', 'select "first_colour"')).toBe(1);
    await locker.query('rollback');
    await expect(held).resolves.toEqual({ firstColour: 'red' });
    await Promise.all(asked);
  });

  test('for a connection times out, while reads still get one', async () => {
    await using small = openDatabase<Tables>({
      url,
      logger: quietLogger,
      connectionsMax: 3,
    });
    const release = Promise.withResolvers<void>();
    const holding = small.db.connection().execute(() => release.promise);
    const second = small.db.transaction().execute((trx) => colourOf(trx, 1));
    const write = small.db.deleteFrom('thing').where('id', '=', 0).execute();
    const refused = Promise.all([
      expect(second).rejects.toMatchObject({ code: 'unavailable' }),
      expect(write).rejects.toMatchObject({ code: 'unavailable' }),
    ]);
    await expect(colourOf(small.db, 1)).resolves.toEqual({ firstColour: 'red' });
    await refused;
    const queued = small.db.deleteFrom('thing').where('id', '=', 0).execute();
    release.resolve();
    await holding;
    await expect(queued).resolves.toBeDefined();
  });
});

describe('the server', () => {
  test('terminates a connection: unavailable, and the next statement succeeds', async () => {
    await using own = openDatabase<Tables>({ url, logger: quietLogger });
    const cut = [sql`select pg_sleep(30)`.execute(own.db), sql`select pg_sleep(30)`.execute(own.db)];
    const outcomes = cut.map((one) => expect(one).rejects.toMatchObject({ code: 'unavailable' }));
    await eventually(async () => expect(await countBackends('active', 'pg_sleep(30)')).toBe(2));
    await terminate('pg_sleep(30)');
    await Promise.all(outcomes);
    await expect(own.isReady()).resolves.toBe(true);
    await expect(colourOf(own.db, 1)).resolves.toEqual({ firstColour: 'red' });
  });

  test('is set to read-only: the database is not ready, and ready again when that ends', async () => {
    const setTo = (value: string) =>
      locker.query(`do $$ begin execute format(
        'alter database %I set default_transaction_read_only = ${value}', current_database()); end $$`);
    await setTo('on');
    await using readOnly = openDatabase<Tables>({ url, logger: quietLogger });
    await expect(readOnly.isReady()).resolves.toBe(false);
    await locker.query('set default_transaction_read_only = off');
    await setTo('off');
    await terminate('transaction_read_only');
    await eventually(() => expect(readOnly.isReady()).resolves.toBe(true));
  });

  test('has no space for a write: the metric says so, and reads go on', async () => {
    const isFull = async () => (await readMetrics(['parley.postgres.disk.full'])).map(({ value }) => value);
    await using own = openDatabase<Tables>({ url, logger: quietLogger });
    await eventually(async () => expect(new Set(await isFull())).toEqual(new Set([0])));
    const write = sql`do $$ begin raise exception 'no space' using errcode = '53100'; end $$`.execute(own.db);
    await expect(write).rejects.toMatchObject({ code: 'unavailable' });
    expect(await isFull()).toContain(1);
    await expect(own.isReady()).resolves.toBe(true);
  });

  test('closes an idle connection: no statement fails', async () => {
    await using own = openDatabase<Tables>({ url, logger: quietLogger });
    await sql`select ${'idle'}::text as mark`.execute(own.db);
    await terminate('as mark');
    await eventually(async () => expect(await countBackends('idle', 'as mark')).toBe(0));
    await eventually(() => expect(sql`select ${'idle'}::text`.execute(own.db)).resolves.toBeDefined());
  });

  test('stops responding: statements fail within seconds, and succeed once it is back', async () => {
    await using proxy = await startProxy(url);
    await using own = openDatabase<Tables>({ url: proxy.url, logger: quietLogger });
    await Promise.all([colourOf(own.db, 1), own.db.deleteFrom('thing').where('id', '=', 0).execute()]);
    proxy.freeze();
    const outcomes = await Promise.allSettled([
      own.isReady(),
      colourOf(own.db, 1),
      colourOf(own.db, 2),
      own.db.deleteFrom('thing').where('id', '=', 0).execute(),
      own.db.transaction().execute((trx) => colourOf(trx, 1)),
    ]);
    expect(outcomes[0]).toMatchObject({ value: false });
    for (const outcome of outcomes.slice(1)) {
      const code = expect.stringMatching(/^(unavailable|deadline_exceeded)$/);
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code } });
    }
    proxy.thaw();
    await eventually(() => expect(colourOf(own.db, 1)).resolves.toEqual({ firstColour: 'red' }));
  }, 60_000);
});

describe('connections', () => {
  test('stay few for concurrent reads, and idle ones are closed', async () => {
    await using own = openDatabase<Tables>({ url, logger: quietLogger });
    const read = () => sql`select ${'few'}::text as few_reads`.execute(reads(own.db));
    await read();
    for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 20 }, read));
    expect([1, 2]).toContain(await countBackends('idle', 'few_reads'));
    await eventually(async () => expect(await countBackends('idle', 'few_reads')).toBe(0));
    await expect(read()).resolves.toEqual({ rows: [{ fewReads: 'few' }] });
  });

  test('close after the statements in flight; later statements are unavailable', async () => {
    const own = openDatabase<Tables>({ url, logger: quietLogger, connectionsMax: 3 });
    const under = [
      own.db.transaction().execute(async (trx) => {
        await sql`select pg_sleep(0.1)`.execute(trx);
        return colourOf(trx, 1);
      }),
      sql`select 1 as one`.execute(own.db),
      sql`update thing set detail = detail where id = ${1}`.execute(own.db),
    ];
    await own[Symbol.asyncDispose]();
    await expect(Promise.all(under)).resolves.toHaveLength(3);
    await expect(colourOf(own.db, 1)).rejects.toMatchObject({ code: 'unavailable' });
    await own[Symbol.asyncDispose]();
  });
});

async function terminate(text: string): Promise<void> {
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename = 'parley_customer' and query like $1`,
    [`%${text}%`],
  );
}

test('an abandoned transaction is rolled back after five seconds', async () => {
  const abandoned = db.transaction().execute(async (trx) => {
    await trx.updateTable('thing').set({ firstColour: 'green' }).where('id', '=', 2).execute();
    await eventually(async () => {
      const { rows } = await admin.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where state = 'idle in transaction'
         and datname = current_database()`,
      );
      expect(rows[0]?.n).toBe(0);
    });
    return colourOf(trx, 2);
  });
  await expect(abandoned).rejects.toMatchObject({ code: 'unavailable' });
  expect(await colourOf(db, 2)).toEqual({ firstColour: 'blue' });
});
