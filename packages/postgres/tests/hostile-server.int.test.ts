import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingPartition } from '@parley/postgres/connecting/errors';
import { migrate, type Migration, prepareSchema } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { provision } from '@parley/postgres/schema/provision';
import { serviceUrl } from '@parley/postgres/connecting/urls';
import { createUuidFunctions } from '@parley/postgres/schema/uuid-functions';
import { certificate } from '@parley/testing/peers/certificate';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { startHostilePostgres } from '@parley/testing/servers/hostile-postgres';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection } from '@parley/testing/database/sql';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

// PostgreSQL 15 with settings far from the defaults, German messages and TLS.

const service = { name: 'customer', password: 'of-a-test' };
const stack = new AsyncDisposableStack();
let obstacle: string | undefined;
let url = '';
let superuserUrl = '';
let db: Kysely<unknown>;
/** Settings of the session that migrates. */
let ofMigrations: unknown;
let authorityFile: string;
let otherAuthorityFile: string;

const init: Migration = {
  up: async (over) => {
    ofMigrations = (await settingsIn(over)).rows;
    await createUuidFunctions(over);
    await sql`create table dated (at timestamptz not null) partition by range (at)`.execute(over);
    await sql`create table widened (id int primary key, text text not null default 'x')`.execute(over);
    await sql`insert into widened (id) values (1)`.execute(over);
  },
};

const settingsIn = (over: Kysely<unknown>) =>
  sql`
  select current_setting('transaction_isolation') as level, timestamptz '2026-02-01 10:00+00' as at,
    timestamptz '2026-02-01 10:00+00'::text as text, 0.1::float8 + 0.2::float8 as sum, '\\x00ff'::bytea as bytes,
    array[null, 'a']::text[]::text as elements`.execute(over);

beforeAll(async () => {
  const server = await startHostilePostgres(stack);
  if (typeof server === 'string') {
    obstacle = server;
    return;
  }
  const folder = stack.use(await temporaryFolder('authorities')).path;
  authorityFile = join(folder, 'authority.pem');
  await writeFile(authorityFile, certificate.cert);
  otherAuthorityFile = join(folder, 'no-authority.pem');
  await writeFile(otherAuthorityFile, 'none');
  superuserUrl = server.url;
  await provision({ adminUrl: server.url, database: 'hostile', services: [service] });
  url = `${serviceUrl(server.url, 'hostile', service)}?application_name=test`;
  await migrate({ url, logger }, { '0001-init': init });
  ({ db } = stack.use(openDatabase<unknown>({ url, logger })));
});
afterAll(() => stack.disposeAsync());
beforeEach(({ skip }) => {
  if (obstacle) skip(obstacle);
});

test('the server speaks German and has other defaults', async () => {
  await using session = await openSqlConnection(superuserUrl);
  await expect(session.query('select 1/0')).rejects.toThrow('Division durch Null');
  const rows = await session.query("select timestamptz '2026-02-01 10:00+00'::text as text");
  expect(rows).toEqual([{ text: '01/02/2026 23:00:00 NZDT' }]);
});

test('statements, transactions and migrations have the settings that the code relies on', async () => {
  const expected = {
    level: 'read committed',
    at: new Date('2026-02-01T10:00:00Z'),
    text: '2026-02-01 10:00:00+00',
    sum: 0.1 + 0.2,
    bytes: Buffer.from([0, 255]),
    elements: '{NULL,a}',
  };
  expect((await settingsIn(db)).rows).toEqual([expected]);
  expect((await db.transaction().execute(settingsIn)).rows).toEqual([expected]);
  expect(ofMigrations).toEqual([{ ...expected, bytes: expected.bytes }]);
});

test('a missing partition is recognised, and no other violation of a check is', async () => {
  const dated = sql`insert into dated values (now())`.execute(db);
  expect(isMissingPartition(await dated.catch((error: unknown) => error))).toBe(true);
  await sql`alter table widened add constraint positive check (id > 0)`.execute(db);
  const negative = sql`insert into widened (id) values (-1)`.execute(db);
  expect(isMissingPartition(await negative.catch((error: unknown) => error))).toBe(false);
});

test('a statement whose prepared plan a migration made stale is retried', async () => {
  const read = () => sql`select * from widened where id = ${1}`.execute(db);
  await read();
  await sql`alter table widened add column more int`.execute(db);
  expect((await read()).rows).toEqual([{ id: 1, text: 'x', more: null }]);
});

test('ids ascend within a session, are UUIDs of version 7, and have the time of their creation', async () => {
  const { rows } = await sql<{ areAscending: boolean; areOfVersion7: boolean; lag: number; count: number }>`
    with made as materialized (select n, uuidv7() as id from generate_series(1, 20000) as n)
    select bool_and(id > before) as are_ascending, count(distinct id)::int as count,
      bool_and(id::text ~ '^.{14}7.{4}[89ab].{16}$') as are_of_version7,
      max(abs(extract(epoch from clock_timestamp() - uuid_extract_timestamp(id))))::float8 as lag
    from (select id, lag(id, 1, '00000000-0000-0000-0000-000000000000') over (order by n) as before from made) as pairs`.execute(
    db,
  );
  expect(rows).toMatchObject([{ areAscending: true, areOfVersion7: true, count: 20_000 }]);
  expect(rows[0]?.lag).toBeLessThan(60);
  const known = sql`select uuid_extract_timestamp('0190163d-8694-739b-aea5-966c26f8ad91') as at,
    uuid_extract_timestamp('22222222-2222-4222-8222-222222222222') as none`;
  expect((await known.execute(db)).rows).toEqual([{ at: new Date(0x0190163d8694), none: null }]);
});

describe('TLS', () => {
  const starting = (parameters: string, host = '127.0.0.1') => {
    const own = new URL(`${url}&${parameters}`);
    own.hostname = host;
    return prepareSchema({ url: own.href, migrateOnStart: false, logger }, { '0001-init': init });
  };
  const rootcert = (): string => `sslrootcert=${encodeURIComponent(authorityFile)}`;

  test.each([
    ['disable', 'no', '127.0.0.1', false],
    ['require', 'no', 'localhost', true],
    ['require', 'its', 'localhost', true],
    ['verify-ca', 'its', 'localhost', true],
    ['verify-full', 'its', '127.0.0.1', true],
  ])(
    'sslmode=%s with %s sslrootcert connects to %s as libpq does',
    async (mode, whose, host, isEncrypted) => {
      const parameters = `sslmode=${mode}&${whose === 'its' ? rootcert() : ''}`;
      await starting(parameters, host);
      const own = new URL(`${url}&${parameters}`);
      own.hostname = host;
      await using database = openDatabase<unknown>({ url: own.href, logger });
      const { rows } = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(
        database.db,
      );
      expect(rows).toEqual([{ ssl: isEncrypted }]);
    },
  );

  test.each([
    ['sslmode=verify-full', '127.0.0.1', /at 127\.0\.0\.1:\d+: .*self-signed.*; set sslrootcert/],
    ['sslmode=verify-ca', '127.0.0.1', /at 127\.0\.0\.1:\d+: sslmode=verify-ca needs sslrootcert/],
    ['sslmode=prefer', '127.0.0.1', /at 127\.0\.0\.1:\d+: sslmode=prefer is not supported: set disable/],
    ['sslmode=require&sslrootcert=/nowhere.pem', '127.0.0.1', /at 127\.0\.0\.1:\d+: .*\/nowhere\.pem/],
    ['sslrootcert=system&sslmode=require', '127.0.0.1', /sslrootcert=system needs sslmode=verify-full/],
    ['sslnegotiation=direct', '127.0.0.1', /sslnegotiation=direct needs an sslmode/],
  ])('a start with %s at %s fails with the address and the parameter', async (parameters, host, message) => {
    await expect(starting(parameters, host)).rejects.toThrow(message);
  });

  test('a start with a certificate for another host or a file without certificates fails with the parameter', async () => {
    await expect(starting(`sslmode=verify-full&${rootcert()}`, 'localhost')).rejects.toThrow(
      /at localhost:\d+: .*; sslmode=verify-full needs a certificate for this host/,
    );
    await expect(
      starting(`sslmode=require&sslrootcert=${encodeURIComponent(otherAuthorityFile)}`),
    ).rejects.toThrow('sslrootcert must be a file in PEM');
  });
});
