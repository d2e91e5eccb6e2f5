import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findProcess } from '../src/files/leftover.ts';
import { postgresProgram, removePostgres, startPostgres } from '../src/postgres/postgres.ts';
import { StartError } from '../src/processes/program.ts';

/** Of waits: the machine may be busy. */
const patience = { timeout: 60_000 };

let folder: string;
let dataDir: string;

beforeEach(async () => {
  // mkdtemp creates a folder that only its owner can enter.
  folder = await mkdtemp(join(tmpdir(), 'parley-postgres-test-'));
  dataDir = join(folder, 'inner', 'data');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await removePostgres(dataDir);
  await rm(folder, { recursive: true, force: true });
});

describe.each([
  { title: 'in a folder that other users cannot enter', folderMode: 0o700, hasNamespaces: true },
  { title: 'there as root without user namespaces', folderMode: 0o700, hasNamespaces: false },
  { title: 'as root without user namespaces', folderMode: 0o711, hasNamespaces: false },
])('Postgres $title', ({ folderMode, hasNamespaces }) => {
  test('serves the same data after a restart', async () => {
    await chmod(folder, folderMode);
    if (!hasNamespaces) await disableNamespaces();
    const options = { dataDir, durable: true };
    const first = await startPostgres(options);
    await query(first.url, 'create table kept (id int)');
    await first.stop();

    await using second = await startPostgres(options);
    expect((await query(second.url, 'select * from kept')).rowCount).toBe(0);
  });
});

test('creates a new cluster when its folder was removed, also if the cluster was outside of it', async () => {
  // Root's cluster is outside if only root can enter the folder.
  await disableNamespaces();
  const options = { dataDir, durable: true };
  const first = await startPostgres(options);
  await query(first.url, 'create table gone (id int)');
  await first.stop();
  await rm(dataDir, { recursive: true });

  await using second = await startPostgres(options);
  await expect(query(second.url, 'select * from gone')).rejects.toThrow(/"gone" does not exist/);
});

test('it requires its password, listens on 127.0.0.1 only, and logs errors without values of statements', async () => {
  await using postgres = await startPostgres({ dataDir, durable: false });
  const wrong = new URL(postgres.url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  const { rows } = await query(
    postgres.url,
    "select current_setting('listen_addresses') || current_setting('unix_socket_directories') as doors",
  );
  expect(rows).toEqual([{ doors: '127.0.0.1' }]);

  await query(postgres.url, 'create table person (id text primary key)');
  const insert = "insert into person values ('customer-secret')";
  await query(postgres.url, insert);
  await expect(query(postgres.url, insert)).rejects.toThrow(/duplicate key/);
  const log = () => readFile(join(dataDir, 'postgres.log'), 'utf8');
  await vi.waitFor(async () => expect(await log()).toContain('duplicate key'), patience);
  expect(await log()).not.toContain('customer-secret');
});

test('it starts on the folder of a killed server, of a leftover one and with the pid file of another process', async () => {
  const killed = await startPostgres({ dataDir, durable: true });
  await query(killed.url, 'create table kept (id int)');
  process.kill(killed.pid, 'SIGKILL');
  const left = await vi.waitFor(() => startPostgres({ dataDir, durable: true }), patience);
  expect((await query(left.url, 'select * from kept')).rowCount).toBe(0);
  await killed.stop();

  const again = await startPostgres({ dataDir, durable: true, port: left.port });
  expect(again.pid).not.toBe(left.pid);
  await expect(query(again.url, 'select 1')).resolves.toBeDefined();
  await left.stop();

  const pidFile = join(dataDir, 'cluster/postmaster.pid');
  const lines = (await readFile(pidFile, 'utf8')).split('\n');
  await again.stop();
  await writeFile(pidFile, [process.pid, ...lines.slice(1)].join('\n'), { mode: 0o600 });
  await using last = await startPostgres({ dataDir, durable: true });
  await expect(query(last.url, 'select 1')).resolves.toBeDefined();
});

test('an interrupted creation of a cluster ends at once, and leaves no process and no cluster', async () => {
  const interrupting = new AbortController();
  const creating = postgresProgram({ dataDir, durable: true, signal: interrupting.signal });
  creating.catch(() => {});
  await vi.waitFor(async () => expect(await readdir(dataDir)).toContain('cluster.new'), patience);
  interrupting.abort();
  await expect(creating).rejects.toThrow(StartError);
  expect(await readdir(dataDir)).toEqual(expect.not.arrayContaining(['cluster', 'cluster.new.password']));
  await using after = await startPostgres({ dataDir, durable: true });
  await expect(query(after.url, 'select 1')).resolves.toBeDefined();
});

test.runIf(process.platform === 'linux')('it ends when the process that started it is killed', async () => {
  await mkdir(dataDir, { recursive: true });
  const module = resolve(import.meta.dirname, '../src/postgres/postgres.ts');
  const script = `import { startPostgres } from ${JSON.stringify(module)};
    const { pid } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
    console.log(pid); setInterval(() => {}, 1000);`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: starter.stdout }), 'line');
  expect((await findProcess(Number(line)))?.command).toContain(dataDir);
  starter.kill('SIGKILL');
  await vi.waitFor(async () => expect(await findProcess(Number(line))).toBeUndefined(), patience);
});

/** Makes user namespaces unavailable, as many containers do. */
async function disableNamespaces(): Promise<void> {
  const unshare = join(folder, 'unshare');
  await writeFile(unshare, '#!/bin/sh\nexit 1\n');
  await chmod(unshare, 0o755);
  vi.stubEnv('PATH', [folder, process.env['PATH']].join(delimiter));
}

async function query(connectionString: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return await client.query(text);
  } finally {
    await client.end();
  }
}
