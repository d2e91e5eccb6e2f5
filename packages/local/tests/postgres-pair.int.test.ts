import { join } from 'node:path';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../src/ports.ts';
import {
  pairFolders,
  type PostgresPair,
  primaryFolder,
  startPostgresPair,
} from '../src/postgres/postgres-pair.ts';
import { removePostgres, startPostgres } from '../src/postgres/postgres.ts';
import { type Supervisor, supervise } from '../src/processes/supervisor.ts';

let stack: AsyncDisposableStack;
let dataDir: string;
let shown: string[];
let supervisor: Supervisor;
let pair: PostgresPair;
let stop: () => Promise<void>;

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  dataDir = stack.use(await temporaryFolder('pair')).path;
  stack.defer(async () => void (await Promise.all(pairFolders(dataDir).map(removePostgres))));
  await start();
});
afterAll(async () => {
  await stop();
  await stack.disposeAsync();
});

async function start(): Promise<void> {
  shown = [];
  const ending = new AbortController();
  supervisor = supervise({
    logDir: join(dataDir, 'logs'),
    show: (line) => shown.push(line),
    onChange: () => {},
  });
  stop = async () => {
    ending.abort();
    await supervisor.stop([{ matches: () => true, graceMs: 5_000 }]);
    pair[Symbol.dispose]();
  };
  const [address, first, second] = [await freePort(), await freePort(), await freePort()];
  pair = await startPostgresPair({
    dataDir,
    durable: false,
    ports: { address, servers: { 'postgres-1': first, 'postgres-2': second } },
    supervisor,
    show: (line) => shown.push(line),
    ending: ending.signal,
    provision: async () => {},
  });
}

beforeEach(() => {
  shown.length = 0;
});

const pidOf = (name: string): number =>
  supervisor.processes().find((one) => one.name === name)?.pid ?? expect.unreachable(`no ${name}`);

async function query<Row extends object>(text: string): Promise<Row[]> {
  await using session = await openSqlConnection(pair.url);
  return await session.query<Row>(text);
}

/** Waits until the name is the primary. */
const isPromoted = (name: string) =>
  eventually(() => expect(shown).toContainEqual(expect.stringContaining(`${name} is promoted`)));

/** Waits until the name is a synchronous standby. */
const follows = (name: string) => eventually(() => expect(shown.at(-1)).toContain(`${name} has all commits`));

const marks = async () => (await query<{ n: number }>('select n from mark order by n')).map(({ n }) => n);

test('a killed primary is replaced by its standby with all commits, and follows it then', async () => {
  await query('create table mark (n int)');
  await query('insert into mark values (1)');
  process.kill(pidOf('postgres-1'), 'SIGKILL');
  await isPromoted('postgres-2');
  expect(await marks()).toEqual([1]);
  await query('insert into mark values (2)');
  await follows('postgres-1');
});

test('a frozen primary is killed and replaced', async () => {
  process.kill(pidOf('postgres-2'), 'SIGSTOP');
  await isPromoted('postgres-1');
  expect(await marks()).toEqual([1, 2]);
  await follows('postgres-2');
});

test('without its standby a primary accepts writes, and starts again itself when it is killed', async () => {
  process.kill(pidOf('postgres-2'), 'SIGKILL');
  await query('insert into mark values (3)');
  await follows('postgres-2');
  process.kill(pidOf('postgres-2'), 'SIGKILL');
  process.kill(pidOf('postgres-1'), 'SIGKILL');
  await eventually(async () => expect(await marks()).toEqual([1, 2, 3]));
  await follows('postgres-2');
});

test('the next start has the data of the primary, also without a standby', async () => {
  process.kill(pidOf('postgres-1'), 'SIGKILL');
  await isPromoted('postgres-2');
  await query('insert into mark values (4)');
  await stop();
  await start();
  expect(await marks()).toEqual([1, 2, 3, 4]);
  await stop();

  expect(await primaryFolder(dataDir)).toBe(join(dataDir, 'postgres-2'));
  await using alone = await startPostgres({ dataDir: await primaryFolder(dataDir), durable: false });
  await using session = await openSqlConnection(alone.url);
  expect(await session.query('select n from mark')).toHaveLength(4);
  await session.query('insert into mark values (5)');
});
