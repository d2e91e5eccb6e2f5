import { connect, createServer } from 'node:net';
import { migrate, type Migration, prepareSchema, readSchemaState } from '@parley/postgres/schema/migrate';
import { migrateCommand } from '@parley/postgres/schema/migrate-command';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { freePort } from '@parley/testing/servers/ports';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection } from '@parley/testing/database/sql';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const adding = (name: string): Migration => ({
  up: async (db) => void (await sql`create table ${sql.id(name)} (id int)`.execute(db)),
});
const older = { '0001-init': adding('one') };
const newer = { ...older, '0002-two': adding('two') };

let database: Awaited<ReturnType<typeof createDatabase>>;
let url: string;
beforeEach(async () => {
  database = await createDatabase('customer');
  url = database.testUrl;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database[Symbol.asyncDispose]();
});

async function tables(): Promise<string[]> {
  await using session = await openSqlConnection(url);
  const rows = await session.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_name in ('one', 'two') order by name`,
  );
  return rows.map(({ name }) => name);
}

test('an older release starts on the schema of a newer one with a warning that names its migrations', async () => {
  await prepareSchema({ url, logger, migrateOnStart: true }, newer);
  const warn = vi.spyOn(logger, 'warn');
  for (const migrateOnStart of [true, false]) await prepareSchema({ url, logger, migrateOnStart }, older);
  expect(warn.mock.calls.map(([fields]) => fields)).toEqual([
    { unknown: '0002-two' },
    { unknown: '0002-two' },
  ]);
  expect(await tables()).toEqual(['one', 'two']);
});

test('two releases that migrate an empty schema at once both succeed', async () => {
  await Promise.all([newer, older, newer, older].map((migrations) => migrate({ url, logger }, migrations)));
  expect(await readSchemaState({ url, logger }, newer)).toEqual({ missing: [], unknown: [] });
});

test('without migrations on start, a service does not start on a schema that lacks some', async () => {
  const start = () => prepareSchema({ url, logger, migrateOnStart: false }, newer);
  await expect(start()).rejects.toThrow('MIGRATE_ON_START is false: 0001-init, 0002-two');
  await migrate({ url, logger }, older);
  await expect(start()).rejects.toThrow('MIGRATE_ON_START is false: 0002-two');
  expect(await tables()).toEqual(['one']);
  await migrate({ url, logger }, newer);
  await expect(start()).resolves.toBeUndefined();
});

test('a schema of another line of releases is an error', async () => {
  await migrate({ url, logger }, { ...older, '0003-other': adding('two') });
  await expect(migrate({ url, logger }, newer)).rejects.toThrow('corrupted migrations');
});

test('the command lists, applies and reports wrong usage', async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  const run = async (args: string[], env: NodeJS.ProcessEnv = { DATABASE_URL: url }) => {
    lines.length = 0;
    return { code: await migrateCommand('customer', newer, args, env), text: lines.join('\n') };
  };
  expect(await run(['--dry-run'])).toEqual({ code: 0, text: 'would apply 0001-init\nwould apply 0002-two' });
  expect(await tables()).toEqual([]);
  expect(await run([])).toEqual({ code: 0, text: 'applied 0001-init\napplied 0002-two' });
  expect(await run([])).toEqual({ code: 0, text: 'nothing to apply' });
  expect(await run(['--dry-run', '--json'])).toEqual({ code: 0, text: '{"missing":[],"unknown":[]}' });
  expect(await run(['--help'], {})).toMatchObject({ code: 0, text: expect.stringContaining('--dry-run') });
  expect(await run(['--wet'])).toMatchObject({ code: 2, text: expect.stringContaining('--wet') });
  expect(await run([], {})).toMatchObject({ code: 2, text: expect.stringContaining('DATABASE_URL') });
  const nobody = { DATABASE_URL: url.replace(/\/\/[^@]*@/, '//nobody:wrong@') };
  expect(await run([], nobody)).toMatchObject({ code: 1, text: expect.stringContaining('nobody') });
});

test('the command says that the database is unavailable', async () => {
  const failure = vi.spyOn(console, 'error').mockImplementation(() => {});
  // The command waits for a database that starts. Each look at the clock ends that time.
  let clockMs = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => (clockMs += 60_000));
  const env = { DATABASE_URL: `postgres://nobody:wrong@127.0.0.1:${await freePort()}/none` };
  expect(await migrateCommand('customer', newer, ['--dry-run'], env)).toBe(1);
  const text = expect.stringMatching(/^no connection to the database at 127.0.0.1:\d+: .*ECONNREFUSED/);
  expect(failure).toHaveBeenCalledExactlyOnceWith(text);
});

test('a start says that it waits for the database, once, and that it answers', async () => {
  const port = await freePort();
  const { host } = new URL(url);
  const late = url.replace(host, `127.0.0.1:${port}`);
  const warn = vi.spyOn(logger, 'warn');
  const info = vi.spyOn(logger, 'info');
  const starting = prepareSchema({ url: late, logger, migrateOnStart: true }, newer);
  await eventually(() => expect(warn).toHaveBeenCalled());
  const [hostname, target] = host.split(':');
  const proxy = createServer((client) => {
    const server = connect(Number(target), hostname);
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => {});
  });
  await new Promise<void>((done) => void proxy.listen(port, '127.0.0.1', done));
  await starting;
  proxy.close();
  expect(warn.mock.calls).toEqual([[expect.objectContaining({ seconds: 20 }), 'waiting for the database']]);
  expect(info).toHaveBeenCalledExactlyOnceWith('the database answers');
  expect(await tables()).toEqual(['one', 'two']);
});
