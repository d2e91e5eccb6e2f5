import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { LocalRun } from '@parley/local/run-files';
import { api, basic } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/folders';
import { expect, test, vi } from 'vitest';

// `npm start` as a newcomer runs it (contract, section 8).

const root = resolve(import.meta.dirname, '..');

// Each test starts everything up to three times.
vi.setConfig({ testTimeout: 240_000 });

interface Start {
  run: LocalRun;
  output: () => string;
  /** Ends it like the terminal; returns the exit code and the remaining processes. */
  interrupt(): Promise<{ code: number | null; left: number[] }>;
}

function launch(dataDir: string, flags: string[]): { child: ChildProcess; output: () => string } {
  const command = ['start', '--silent', '--', '--port', '0', '--data-dir', dataDir, ...flags];
  // A process group of its own, as a terminal creates it.
  const child = spawn('npm', command, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

async function start(dataDir: string, ...flags: string[]): Promise<Start> {
  const { child, output } = launch(dataDir, flags);
  const readRun = async () => JSON.parse(await readFile(join(dataDir, 'local.json'), 'utf8')) as LocalRun;
  const run = await eventually<LocalRun | { failed: string }>(
    () => (child.exitCode === null ? readRun() : { failed: output() }),
    { timeoutMs: 60_000 },
  );
  if ('failed' in run) throw new Error(run.failed);
  return { run, output, interrupt: () => interrupt(child, run) };
}

/** A start that should end: its exit code and its output. */
async function startInVain(
  dataDir: string,
  ...flags: string[]
): Promise<{ code: number | null; said: string }> {
  const { child, output } = launch(dataDir, flags);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, said: output().trim() };
}

async function interrupt(
  child: ChildProcess,
  run: LocalRun,
): Promise<{ code: number | null; left: number[] }> {
  const ended = new Promise<number | null>((done) => child.once('close', done));
  process.kill(-Number(child.pid), 'SIGINT');
  const code = await ended;
  return { code, left: run.processes.map(({ pid }) => pid).filter(isAlive) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Memory of the servers and services, counting shared pages once. Only Linux reports it: zero elsewhere. */
async function memoryMegabytes({ processes }: LocalRun): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const reports = await Promise.all(
    processes.map(({ pid }) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8')),
  );
  const kilobytes = reports.map((report) => Number(/^Pss: +(\d+)/m.exec(report)?.[1]));
  for (const each of kilobytes) expect(each).toBeGreaterThan(0);
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1_000;
}

test('starts with hints, uses less than 1 GB of memory, keeps its data after a restart, and leaves no process', async () => {
  await using folder = await temporaryFolder('start');
  const dataDir = join(folder.path, 'data');
  const first = await start(dataDir);
  const { run } = first;
  expect(run.processes.map(({ name }) => name).sort()).toEqual(
    ['customer', 'gateway', 'identity', 'interaction', 'nats', 'postgres', 'webhook'].sort(),
  );
  expect(run.processes.every(({ restartable }) => restartable)).toBe(true);
  expect(Object.keys(run.bots).sort()).toEqual([
    'appointment-reminder',
    'candidate-screening',
    'nps-follow-up',
  ]);
  const workspace = api(`${run.baseUrl}/v1/workspaces/${run.workspaceId}`, basic(run.apiKey, run.apiSecret));
  expect((await workspace.post('/customers', { id: 'kept' })).status).toBe(200);

  await eventually(() => expect(first.output()).toMatch(/curl -u \S+ \S+[^]*\/interactions\/\w+\n/));
  const link = /http\S+\/interactions\/[0-9A-Za-z]+/.exec(first.output())?.[0] ?? '';
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toMatch(/NPS follow-up|Candidate screening|Appointment reminder/);

  expect(await memoryMegabytes(run)).toBeLessThan(1_000);
  expect(await first.interrupt()).toEqual({ code: 0, left: [] });

  const second = await start(dataDir);
  const { processes: _, ...kept } = second.run;
  const { processes: __, ...before } = run;
  expect(kept).toEqual(before);
  expect((await workspace.get('/customers/kept')).status).toBe(200);

  // `local.json` does not follow a rotated secret: the next start finds its key invalid and creates a new one.
  await workspace.post('/apikeys/rotate');
  expect(await second.interrupt()).toEqual({ code: 0, left: [] });
  const third = await start(dataDir);
  expect(third.run.workspaceId).toBe(run.workspaceId);
  expect(third.run.apiKey).not.toBe(run.apiKey);
  expect(await third.interrupt()).toEqual({ code: 0, left: [] });
});

test('a second run on the same folder and a wrong flag are rejected in one clear line', async () => {
  await using folder = await temporaryFolder('start');
  const dataDir = join(folder.path, 'data');
  const first = await start(dataDir, '--ephemeral', '--replicas', 'gateway=2');
  expect(first.run.gateways).toHaveLength(2);
  expect(first.run.processes.map(({ name }) => name)).toContain('gateway-2');
  const twin = await startInVain(dataDir);
  expect(twin.code).toBe(1);
  expect(twin.said).toMatch(/^parley: .*in use by another run.*$/);
  const wrong = await startInVain(join(folder.path, 'other'), '--replicas', 'postgres=2');
  expect(wrong.code).toBe(2);
  expect(wrong.said).toMatch(/^parley: .*postgres.*--help.*$/);
  expect(await first.interrupt()).toEqual({ code: 0, left: [] });
  await expect(readFile(join(dataDir, 'local.json'))).rejects.toThrow(/ENOENT/);
});
