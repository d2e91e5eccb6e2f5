import { reads, scans } from '@parley/postgres/sql/dialect';
import { openDatabase } from '@parley/postgres/connecting/open';
import { inWork } from '@parley/runtime/scheduling/work';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { quietLogger } from '@parley/testing/quiet';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

interface Tables {
  thing: { id: number };
}

const stack = new AsyncDisposableStack();
let admin: SqlConnection;
let db: Kysely<Tables>;
let callers: AbortController;

beforeAll(async () => {
  const database = stack.use(await createDatabase('customer'));
  admin = stack.use(await openSqlConnection(database.adminUrl));
  // Two connections for small reads, three for scans, five for the rest.
  ({ db } = stack.use(
    openDatabase<Tables>({ url: database.testUrl, logger: quietLogger, connectionsMax: 10 }),
  ));
  await sql`create table thing (id int primary key)`.execute(db);
});
afterAll(() => stack.disposeAsync());
beforeEach(() => {
  callers = new AbortController();
  return async () => {
    callers.abort();
    await eventually(async () => expect(await running()).toEqual([]));
    await sql`truncate thing`.execute(db);
  };
});

/** Runs `work` for a tenant whose caller gives up when `callers` aborts. */
const as = <Result>(tenant: string, work: () => Result): Result =>
  inWork({ tenant, signal: callers.signal }, work);

/** Begins a statement that takes longer than the test. Returns its fault. */
const begin = (tenant: string, on: Kysely<Tables>): Promise<unknown> =>
  as(tenant, () => sql`select pg_sleep(30), ${tenant}::text as sleeping`.execute(on)).catch(
    (error: unknown) => error,
  );

/** The statements that sleep on the server. */
async function running(): Promise<string[]> {
  const rows = await admin.query<{ query: string }>(
    `select query from pg_stat_activity
     where datname = current_database() and state = 'active' and query like '%pg\\_sleep%' and pid <> pg_backend_pid()`,
  );
  return rows.map(({ query }) => query);
}

const readThings = () => db.selectFrom('thing').select('id').execute();
const addThing = (id: number) => db.insertInto('thing').values({ id }).execute();

test('a tenant runs one scan at a time, and delays neither scans of others nor reads and writes', async () => {
  const ofA = Array.from({ length: 20 }, () => begin('a', scans(db)));
  await eventually(async () => expect(await running()).toHaveLength(1));
  const ofB = begin('b', scans(db));
  await eventually(async () => expect(await running()).toHaveLength(2));
  await as('b', () => addThing(1));
  expect(await as('b', readThings)).toEqual([{ id: 1 }]);
  expect(await running()).toHaveLength(2);
  callers.abort();
  expect(await Promise.all([...ofA, ofB])).toHaveLength(21);
});

test('a tenant whose writes hang delays neither writes of others nor small reads', async () => {
  const ofA = Array.from({ length: 20 }, () => begin('a', db));
  await eventually(async () => expect(await running()).toHaveLength(4));
  await as('b', () => addThing(1));
  expect(await as('a', readThings)).toEqual([{ id: 1 }]);
  expect(await as('a', () => sql`select ${1}::int as n`.execute(reads(db)))).toEqual({ rows: [{ n: 1 }] });
  expect(await running()).toHaveLength(4);
  callers.abort();
  await Promise.all(ofA);
});

test('the server cancels a statement whose caller has given up, and waiting ones never start', async () => {
  const faults = [begin('a', scans(db)), begin('a', scans(db)), begin('b', db)];
  await eventually(async () => expect(await running()).toHaveLength(2));
  callers.abort();
  const codes = (await Promise.all(faults)).map((fault) => (fault as { code?: string }).code);
  expect(codes).toEqual(['deadline_exceeded', 'deadline_exceeded', 'deadline_exceeded']);
  // The cancellation is on its way when the caller is answered.
  await eventually(async () => expect(await running()).toEqual([]));
  await addThing(1);
  expect(await readThings()).toEqual([{ id: 1 }]);
});

test('a transaction whose caller gives up is rolled back, between two statements too', async () => {
  const begun = Promise.withResolvers<void>();
  const givenUp = Promise.withResolvers<void>();
  const transaction = as('a', () =>
    db.transaction().execute(async (trx) => {
      await trx.insertInto('thing').values({ id: 1 }).execute();
      begun.resolve();
      await givenUp.promise;
      await trx.insertInto('thing').values({ id: 2 }).execute();
    }),
  );
  await begun.promise;
  callers.abort();
  givenUp.resolve();
  await expect(transaction).rejects.toMatchObject({ code: 'deadline_exceeded' });
  expect(await readThings()).toEqual([]);
});

test('statements of later holders are never cancelled for an earlier one', async () => {
  for (let round = 0; round < 200; round += 1) {
    const caller = new AbortController();
    const short = inWork({ tenant: 'a', signal: caller.signal }, () =>
      sql`select pg_sleep(0.0005)`.execute(scans(db)).catch(() => {}),
    );
    setImmediate(() => caller.abort());
    const next = as('a', () => sql`select ${round}::int as round`.execute(scans(db)));
    expect(await next).toEqual({ rows: [{ round }] });
    await short;
  }
});

test('inside a transaction, reads and scans use its connection', async () => {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('thing').values({ id: 7 }).execute();
    expect(await reads<Tables>(trx).selectFrom('thing').select('id').execute()).toEqual([{ id: 7 }]);
    expect(await scans<Tables>(trx).selectFrom('thing').select('id').execute()).toEqual([{ id: 7 }]);
  });
});

test('a builder that locks rows or changes them needs its own connection', async () => {
  const ofA = Array.from({ length: 20 }, () => begin('a', db));
  await eventually(async () => expect(await running()).toHaveLength(4));
  const locking = as('a', () => db.selectFrom('thing').select('id').forUpdate().execute());
  const changing = as('a', () =>
    db
      .with('gone', (query) => query.deleteFrom('thing').returning('id'))
      .selectFrom('gone')
      .select('id')
      .execute(),
  );
  const codes = Promise.all(
    [locking, changing].map((one) => one.catch((error: { code: string }) => error.code)),
  );
  callers.abort();
  expect(await codes).toEqual(['deadline_exceeded', 'deadline_exceeded']);
  await Promise.all(ofA);
});
