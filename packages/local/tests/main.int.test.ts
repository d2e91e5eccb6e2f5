import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findProcess } from '../src/files/leftover.ts';
import type { LocalRun } from '../src/files/run-files.ts';

let folder: string;
let dataDir: string;
let started: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-main-test-'));
  dataDir = join(folder, 'data');
  started = [];
});

afterEach(async () => {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

test('an unusable flag is rejected in one line, with exit code 2: an ephemeral run removes no other data', async () => {
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'secrets.json'), 'precious');
  const child = start('--port', '0', '--ephemeral');
  const err = text(child.stderr);
  expect(await once(child, 'exit')).toEqual([2, null]);
  expect(await err).toMatch(/^parley: --ephemeral would remove .* \(see npm start -- --help\)\n$/);
  expect(await readdir(dataDir)).toEqual(['secrets.json']);
});

test('a failed start keeps the remains of a killed ephemeral run; the next run survives a full disk and removes them', async () => {
  await using taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const killed = start('--port', '0', '--ephemeral');
  await untilReady(killed);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await refusal(start('--port', String(port), '--ephemeral'))).toContain(`port ${port} is taken`);
  expect(await readdir(dataDir)).toContain('secrets.json');
  const next = start('--port', '0', '--ephemeral');
  if (process.platform === 'linux') await fillDisk(next);
  else await untilReady(next);
  await expectOrderlyStop(next, 'SIGTERM');
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

/** A full disk does not end a run: it is reported once, and writing resumes when there is space. */
async function fillDisk(child: ReturnType<typeof start>): Promise<void> {
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const { processes, baseUrl } = await untilReady(child);
  const pidOf = (name: string): number => {
    const restarts = said.matchAll(new RegExp(`${name} restarted as process (\\d+)\n`, 'g'));
    const first = processes.find((one) => one.name === name)?.pid;
    return Number([...restarts].at(-1)?.[1] ?? first);
  };
  const restart = async (name: string): Promise<void> => {
    const before = pidOf(name);
    process.kill(before, 'SIGKILL');
    await vi.waitFor(() => expect(pidOf(name), said).not.toBe(before), 60_000);
  };

  // Every write to a file fails with EFBIG, as with ENOSPC on a full disk. Pipes are not limited.
  await limitFileSize(child, '0:unlimited');
  await restart('identity');
  await restart('customer');
  // The gateway logs every request.
  await fetch(`${baseUrl}/readyz`);
  await vi.waitFor(() => expect(said).toMatch(/logs in .* cannot be written \(EFBIG: .*\)/), 60_000);
  expect((await readLocal()).processes).toEqual(processes);

  const { size: sizeWhileFull } = await stat(join(dataDir, 'logs/gateway.log'));
  await limitFileSize(child, 'unlimited');
  await vi.waitFor(async () => {
    await fetch(`${baseUrl}/readyz`);
    const { size } = await stat(join(dataDir, 'logs/gateway.log'));
    expect(size).toBeGreaterThan(sizeWhileFull);
    const pids = (await readLocal()).processes.map(({ pid }) => pid);
    expect(pids).toEqual(expect.arrayContaining([pidOf('identity'), pidOf('customer')]));
  }, 60_000);
  for (const line of ['logs in', 'local.json cannot be written']) expect(said.split(line)).toHaveLength(2);
}

test('a broken file of the folder is reported in one line', async () => {
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'ports.json'), 'nonsense');
  expect(await refusal(start('--port', '0'))).toBe(
    `parley: ${join(dataDir, 'ports.json')} does not hold what a run writes there; remove it\n`,
  );
});

test('a switch that is neither true nor false is rejected', async () => {
  vi.stubEnv('PARLEY_ALLOW_PRIVATE_WEBHOOKS', 'no');
  const child = start('--port', '0');
  vi.unstubAllEnvs();
  expect(await refusal(child)).toBe(
    'parley: PARLEY_ALLOW_PRIVATE_WEBHOOKS must be true or false, not "no"\n',
  );
});

test('a signal during the start leaves nothing behind', async () => {
  const child = start('--port', '0', '--ephemeral');
  const err = text(child.stderr);
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  expect(await err).toMatch(/ s\] stopping \(.*\)\n(?:.*\n)*\[.* s\] stopped\n$/);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

function start(...args: string[]) {
  return startIn(dataDir, ...args);
}

function startIn(dir: string, ...args: string[]) {
  const main = resolve(import.meta.dirname, '../src/main.ts');
  const command = [process.execPath, main, '--data-dir', dir, ...args];
  const [file = '', ...rest] = command;
  const child = spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  return child;
}

async function untilReady(child: ReturnType<typeof start>): Promise<LocalRun> {
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`the run ended with ${child.exitCode}: ${said}`);
      await readLocal();
    },
    { timeout: 240_000, interval: 50 },
  );
  return readLocal();
}

async function readLocal(): Promise<LocalRun> {
  return JSON.parse(await readFile(join(dataDir, 'local.json'), 'utf8')) as LocalRun;
}

async function limitFileSize({ pid }: ChildProcess, limit: string): Promise<void> {
  expect(await once(spawn('prlimit', ['--pid', String(pid), `--fsize=${limit}`]), 'exit')).toEqual([0, null]);
}

async function refusal(child: ReturnType<typeof start>): Promise<string> {
  const err = text(child.stderr);
  expect(await once(child, 'exit')).toEqual([1, null]);
  return err;
}

async function expectOrderlyStop(child: ReturnType<typeof start>, signal: NodeJS.Signals): Promise<void> {
  const { processes } = await readLocal();
  const askedAt = Date.now();
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(Date.now() - askedAt).toBeLessThan(10_000);
  expect(await Promise.all(processes.map(({ pid }) => findProcess(pid)))).toEqual(
    processes.map(() => undefined),
  );
}
