import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { databaseServices, optionalServices } from '@parley/contracts/services';
import { databaseUrl, serviceUrl } from '@parley/postgres/connecting/urls';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DrillPostgres, startDrillPostgres } from '../drill/distribution-postgres.ts';

// A database that deploy/postgres/init.sh of a release without optional services has created, its backups, and today's
// scripts on both.

const run = promisify(execFile);
const deploy = resolve(import.meta.dirname, '../../deploy');
const stack = new AsyncDisposableStack();
const released = databaseServices.filter((name) => !(optionalServices as readonly string[]).includes(name));
let postgres: DrillPostgres | Error;
let folder: string;
let url: string;
let admin: SqlConnection;

beforeAll(async () => {
  folder = stack.use(await temporaryFolder('deploy-scripts')).path;
  postgres = await startDrillPostgres(stack, join(folder, 'postgres'), [
    'wal_level=replica',
    'max_wal_senders=10',
  ]).catch((error: Error) => error);
  if (postgres instanceof Error) return;
  await using server = await openSqlConnection(postgres.server.url);
  await server.query('create database parley');
  url = databaseUrl(postgres.server.url, 'parley');
  const list = join(folder, 'services.sh');
  await writeFile(list, `database_services='${released.join(' ')}'`);
  await initialise({ SERVICES_FILE: list });
  admin = stack.use(await openSqlConnection(url));
  await backUp('all', { DATABASE_URL: url });
  await backUp('separate', urlsOf(released));
});
afterAll(() => stack.disposeAsync());
beforeEach(({ skip }) => {
  if (!(postgres instanceof Error)) return;
  if (process.env['CI']) throw postgres;
  skip(postgres.message);
});

function programs(): NodeJS.ProcessEnv {
  if (postgres instanceof Error) throw postgres;
  return postgres.env;
}

const passwordOf = (name: string): string => `it's the "password" of ${name}`;

/** Runs init.sh as the container of compose does, where `psql` finds the server by itself. */
async function initialise(env: NodeJS.ProcessEnv = {}): Promise<void> {
  const { hostname, port, password } = new URL(url);
  const passwords = databaseServices.map((name) => [`${name.toUpperCase()}_PASSWORD`, passwordOf(name)]);
  const server = { PGHOST: hostname, PGPORT: port, PGPASSWORD: decodeURIComponent(password) };
  const PATH = `${dirname(String(programs()['PSQL']))}:${process.env['PATH']}`;
  const own = { ...programs(), ...Object.fromEntries(passwords), ...server, PATH, POSTGRES_DB: 'parley' };
  await run('sh', [join(deploy, 'postgres/init.sh')], { env: { ...own, ...env } });
}

function urlsOf(names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, url]));
}

async function backUp(name: string, urls: NodeJS.ProcessEnv): Promise<void> {
  const env = { PATH: process.env['PATH'], ...programs(), ...urls };
  await run('sh', [join(deploy, 'backup'), join(folder, name)], { env });
}

async function restore(name: string, urls: NodeJS.ProcessEnv): Promise<string> {
  const env = { PATH: process.env['PATH'], ...programs(), ...urls };
  return (await run('sh', [join(deploy, 'restore'), join(folder, name)], { env })).stdout;
}

/** Creates a table in each schema. */
async function fillAll(): Promise<void> {
  for (const name of databaseServices) await admin.query(`create table ${name}.later (id int)`);
}

/** Returns the tables that `fillAll` has created, and the owners of the schemas. */
async function found(): Promise<{ later: string[]; owners: string[] }> {
  const tables = await admin.query<{ schema: string }>(
    `select table_schema as schema from information_schema.tables where table_name = 'later' order by 1`,
  );
  const owners = await admin.query<{ owner: string }>(
    `select nspowner::regrole::text as owner from pg_namespace where nspname = any($1) order by 1`,
    [databaseServices],
  );
  return { later: tables.map(({ schema }) => schema), owners: owners.map(({ owner }) => owner) };
}

const owners = databaseServices.map((name) => `parley_${name}`).toSorted();

test('init.sh creates what a new service needs, and can run again', async () => {
  await initialise();
  await initialise();
  for (const name of databaseServices) {
    // Each can log in.
    await using _ = await openSqlConnection(serviceUrl(url, 'parley', { name, password: passwordOf(name) }));
  }
  await fillAll();
  expect(await found()).toEqual({ later: databaseServices.toSorted(), owners });
});

test.each([
  ['all', { all: true }],
  ['separate', { all: false }],
])('a backup without an optional service leaves it an empty schema: %s', async (name, { all }) => {
  const urls = all ? { DATABASE_URL: url } : urlsOf(databaseServices);
  expect(await restore(name, urls)).toContain('restored identity');
  expect(await found()).toEqual({ later: [], owners });
  await fillAll();
});

test('separate dumps of all services are restored', async () => {
  await backUp('complete', urlsOf(databaseServices));
  await admin.query('drop table insight.later');
  await restore('complete', urlsOf(databaseServices));
  expect(await found()).toEqual({ later: databaseServices.toSorted(), owners });
});

test('init.sh lets a standby in, which copies the server and follows it with a slot of its own', async () => {
  const [{ directory }] = (await admin.query<{ directory: string }>(
    `select current_setting('data_directory') as directory`,
  )) as [{ directory: string }];
  const REPLICATION_PASSWORD = passwordOf('replication');
  for (let times = 0; times < 2; times += 1) await initialise({ REPLICATION_PASSWORD, PGDATA: directory });
  const line = 'host replication parley_replication all scram-sha-256';
  expect((await readFile(join(directory, 'pg_hba.conf'), 'utf8')).split(line)).toHaveLength(2);

  const bin = join(folder, 'standby-bin');
  await mkdir(bin, { recursive: true });
  // What the image has: the script's program for the account, and its entrypoint.
  for (const [name, script] of [
    ['chown', 'exit 0'],
    ['docker-entrypoint.sh', 'echo "started $*"'],
  ])
    await writeFile(join(bin, String(name)), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const PGDATA = join(folder, 'standby');
  const { hostname: PRIMARY_HOST, port: PRIMARY_PORT } = new URL(url);
  const PATH = [bin, dirname(String(programs()['PSQL'])), process.env['PATH']].join(':');
  const own = { REPLICATION_PASSWORD, PGDATA, PRIMARY_HOST, PRIMARY_PORT, AS_POSTGRES: '' };
  const start = () =>
    run('sh', [join(deploy, 'postgres/standby.sh'), 'postgres'], { env: { ...programs(), ...own, PATH } });
  // Without a reload: no commit of this test waits for a standby.
  await admin.query("alter system set synchronous_standby_names = 'standby'");
  expect((await start()).stdout).toBe('started postgres\n');
  // Its volume was lost, and the slot is still there.
  await rm(PGDATA, { recursive: true });
  expect((await start()).stdout).toBe('started postgres\n');
  await admin.query('alter system reset synchronous_standby_names');
  expect(await readdir(PGDATA)).toEqual(expect.arrayContaining(['PG_VERSION', 'standby.signal']));
  const settings = await readFile(join(PGDATA, 'postgresql.auto.conf'), 'utf8');
  expect(settings).toMatch(
    /^primary_conninfo = .*user=parley_replication password=.*application_name=standby/m,
  );
  expect(settings).toContain("primary_slot_name = 'parley_standby'");
  expect(settings).not.toContain('synchronous_standby_names');
  const slots = await admin.query('select slot_name from pg_replication_slots');
  expect(slots).toEqual([{ slot_name: 'parley_standby' }]);
  // A later start copies nothing.
  expect((await start()).stdout).toBe('started postgres\n');
});

test('the erasures since an instant are listed for the command line', async () => {
  await admin.query(
    `create table customer.erasure (workspace_id uuid, customer_id text, kind text, requested_at timestamptz)`,
  );
  await admin.query(`insert into customer.erasure values
    ('01939f6a-2f40-7c3a-9d55-0123456789ab', 'early', 'deletion', '2026-11-27T03:59:59Z'),
    ('01939f6a-2f40-7c3a-9d55-0123456789ab', E'of a "quote"\\nline', 'anonymisation', '2026-11-27T04:00:00.5Z')`);
  const env = { PATH: process.env['PATH'], ...programs(), DATABASE_URL: url };
  const { stdout } = await run('sh', [join(deploy, 'erasures'), '2026-11-27T04:00:00Z'], { env });
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual([
    {
      workspaceId: '01939f6a-2f40-7c3a-9d55-0123456789ab',
      customerId: 'of a "quote"\nline',
      kind: 'anonymisation',
      requestedAt: '2026-11-27T04:00:00.500Z',
    },
  ]);
});
