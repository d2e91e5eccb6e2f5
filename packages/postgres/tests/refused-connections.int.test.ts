import { randomBytes } from 'node:crypto';
import { migrate } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { AppError } from '@parley/runtime/errors';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

const stack = new AsyncDisposableStack();
const role = `refused_${randomBytes(6).toString('hex')}`;
let admin: SqlConnection;
let url: string;

beforeAll(async () => {
  const database = stack.use(await createDatabase('customer'));
  admin = stack.use(await openSqlConnection(database.adminUrl));
  // A role of this test alone, because all tests share the roles of the services.
  await admin.query(`create role ${role} login password 'before'`);
  const [{ name } = { name: '' }] = await admin.query<{ name: string }>('select current_database() as name');
  await admin.query(`grant connect on database ${name} to ${role}`);
  stack.defer(async () => {
    await admin.query(`drop owned by ${role}`);
    await admin.query(`drop role ${role}`);
  });
  const own = new URL(database.testUrl);
  own.username = role;
  own.password = 'before';
  url = own.href;
});
afterAll(() => stack.disposeAsync());

/** The failures of a read, a write and a transaction; `undefined` for a success. */
async function faultsOf(db: Kysely<unknown>): Promise<(AppError | undefined)[]> {
  const settled = await Promise.allSettled([
    sql`select 1`.execute(db),
    sql`set application_name = 'refused'`.execute(db),
    db.transaction().execute((trx) => sql`select 1`.execute(trx)),
  ]);
  return settled.map((one) => (one.status === 'rejected' ? (one.reason as AppError) : undefined));
}

test('while a changed password is rejected, all statements are unavailable; with the right one they succeed', async () => {
  await using database = openDatabase<unknown>({ url, logger });
  expect(await faultsOf(database.db)).toEqual([undefined, undefined, undefined]);
  await admin.query(`alter role ${role} password 'after'`);
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
  const message = expect.stringMatching(/^no connection to the database at 127\.0\.0\.1:\d+: /);
  const cause = { message, cause: { code: '28P01' } };
  const isRefused = { code: 'unavailable', cause };
  await eventually(async () => {
    expect(await faultsOf(database.db)).toMatchObject([isRefused, isRefused, isRefused]);
  });
  expect(await database.isReady()).toBe(false);
  await admin.query(`alter role ${role} password 'before'`);
  expect(await faultsOf(database.db)).toEqual([undefined, undefined, undefined]);
});

test('new connections use a changed password, and statements on open ones go on', async () => {
  let newest = url;
  await using database = openDatabase<unknown>({ url: () => newest, logger });
  expect(await faultsOf(database.db)).toEqual([undefined, undefined, undefined]);
  await admin.query(`alter role ${role} password 'after'`);
  expect(await faultsOf(database.db)).toEqual([undefined, undefined, undefined]);
  newest = Object.assign(new URL(url), { password: 'after' }).href;
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
  await eventually(async () => {
    expect(await faultsOf(database.db)).toEqual([undefined, undefined, undefined]);
  });
  // Its parameters are refused, so the last usable URL stays.
  newest = `${url}&sslmode=prefer`;
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
  await eventually(async () => {
    expect(await faultsOf(database.db)).toEqual([undefined, undefined, undefined]);
  });
  await admin.query(`alter role ${role} password 'before'`);
});

test.each([
  ['a missing database', (given: URL) => (given.pathname = '/nobody_has_made_it'), '3D000'],
  ['a server without the required TLS', (given: URL) => (given.search = '?sslmode=verify-full'), undefined],
])(
  '%s makes all statements unavailable, and a migration fails immediately with the reason',
  async (_name, change, code) => {
    const changed = new URL(url);
    change(changed);
    await using database = openDatabase<unknown>({ url: changed.href, logger });
    for (const fault of await faultsOf(database.db)) {
      expect(fault).toMatchObject({
        code: 'unavailable',
        cause: code ? { cause: { code } } : expect.any(Error),
      });
    }
    await expect(migrate({ url: changed.href, logger }, {})).rejects.not.toBeInstanceOf(AppError);
  },
);
