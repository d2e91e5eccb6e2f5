import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '@parley/local/postgres/postgres';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { type Database, openDatabase } from '@parley/postgres/connecting/open';
import { provision } from '@parley/postgres/schema/provision';
import { storeName } from '@parley/postgres/store-name';
import { databaseUrl, serviceUrl } from '@parley/postgres/connecting/urls';
import { inWork } from '@parley/runtime/scheduling/work';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProxy } from './proxy.ts';

const service = { name: 'customer', password: 'of-a-test' };
const database = 'failing_over';
const stack = new AsyncDisposableStack();
let dataDir: string;
let server: Awaited<ReturnType<typeof startPostgres>>;
let url: string;

const start = (port?: number) =>
  startPostgres({ dataDir, durable: false, replicates: true, ...(port && { port }) });

beforeAll(async () => {
  dataDir = stack.use(await temporaryFolder('failover')).path;
  server = await start();
  stack.defer(() => server.stop());
  await provision({ adminUrl: server.url, database, services: [service] });
  url = `${serviceUrl(server.url, database, service)}?application_name=test`;
  await using session = await openSqlConnection(url);
  await session.query('create table mark (token text)');
});
afterAll(() => stack.disposeAsync());

const admin = (): Promise<SqlConnection> => openSqlConnection(databaseUrl(server.url, database));
const write = ({ db }: Database<unknown>) => sql`insert into mark (token) values ('x')`.execute(db);
const read = ({ db }: Database<unknown>) => sql`select pg_backend_pid() as pid from mark`.execute(reads(db));
const scan = ({ db }: Database<unknown>) => sql`select count(*) from mark`.execute(scans(db));
const isUnavailable = { code: 'unavailable' };

/** The server's processes for the connections of the service. */
async function backends(): Promise<number[]> {
  await using session = await admin();
  const rows = await session.query<{ pid: number }>(
    `select pid from pg_stat_activity where usename = 'parley_customer'`,
  );
  return rows.map(({ pid }) => pid);
}

/** Opens a connection for each kind of statement. */
async function openAll(own: Database<unknown>): Promise<void> {
  await own.db.connection().execute(async (one) => {
    await sql`select 1`.execute(one);
    await Promise.all([read(own), scan(own), write(own)]);
  });
  expect((await backends()).length).toBeGreaterThan(2);
}

test('a standby gets no statement and keeps no connection; when it is promoted, statements succeed', async () => {
  await using own = openDatabase<unknown>({ url, logger });
  await openAll(own);
  const name = async (): Promise<string | undefined> => {
    const { rows } = await sql<{ name: string }>`select ${storeName('mark')} as name`.execute(own.db);
    return rows[0]?.name;
  };
  const before = await name();
  await server.stop();
  await writeFile(join(dataDir, 'cluster', 'standby.signal'), '');
  server = await start(server.port);

  await expect(read(own)).rejects.toMatchObject({
    ...isUnavailable,
    cause: { cause: { message: /standby/ } },
  });
  await expect(scan(own)).rejects.toMatchObject(isUnavailable);
  await expect(write(own)).rejects.toMatchObject(isUnavailable);
  expect(await own.isReady()).toBe(false);
  await eventually(async () => expect(await backends()).toEqual([]));

  await using session = await admin();
  await session.query('select pg_promote()');
  await Promise.all([read(own), scan(own), write(own)]);
  expect(await own.isReady()).toBe(true);
  // Its transactions go on with other numbers than the server before may have used.
  const after = await name();
  expect(after).not.toBe(before);
  expect(await name()).toBe(after);
});

test('after a server has refused a write as read-only, none of the open connections is used again', async () => {
  await using own = openDatabase<unknown>({ url, logger });
  await openAll(own);
  const before = await backends();
  const readOnly = own.db.transaction().setAccessMode('read only');
  await expect(readOnly.execute((trx) => sql`delete from mark`.execute(trx))).rejects.toMatchObject(
    isUnavailable,
  );
  await eventually(async () => expect(await backends()).toEqual([]));
  await Promise.all([read(own), scan(own), write(own)]);
  for (const pid of await backends()) expect(before).not.toContain(pid);
});

test('after one connection was silent, no statement waits for the others that lead to the same server', async () => {
  await using proxy = await startProxy(url);
  await using own = openDatabase<unknown>({ url: proxy.url, logger });
  await openAll(own);
  proxy.freezeOpen();
  await expect(write(own)).rejects.toMatchObject(isUnavailable);
  // On one of these connections each would fail, seconds later.
  await Promise.all([read(own), scan(own), write(own)]);
});

test('a commit that waits for a synchronous standby does not become visible when its caller gives up', async () => {
  await using own = openDatabase<unknown>({ url, logger });
  await using session = await admin();
  const rows = () => session.query(`select from customer.mark where token = 'late'`);
  const waitingCommits = () => session.query(`select from pg_stat_activity where wait_event = 'SyncRep'`);
  await session.query(`alter system set synchronous_standby_names = 'nobody'`);
  await session.query('select pg_reload_conf()');
  try {
    const caller = new AbortController();
    const writing = inWork({ tenant: 'a', signal: caller.signal }, () =>
      sql`insert into mark (token) values ('late')`.execute(own.db).catch((error: unknown) => error),
    );
    await eventually(async () => expect(await waitingCommits()).toHaveLength(1));
    caller.abort();
    expect(await writing).toMatchObject(isUnavailable);
    expect(await waitingCommits()).toHaveLength(1);
    expect(await rows()).toEqual([]);
  } finally {
    await session.query('alter system reset synchronous_standby_names');
    await session.query('select pg_reload_conf()');
  }
  await eventually(async () => expect(await rows()).toHaveLength(1));
});
