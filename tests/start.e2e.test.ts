import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { LocalRun } from '@parley/local/run-files';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/folders';
import { expect, test } from 'vitest';

// `npm start` as a newcomer runs it (contract, section 8). The rest of it: packages/local/tests/main.int.test.ts.

const root = resolve(import.meta.dirname, '..');

interface Start {
  run: LocalRun;
  output: () => string;
  /** Ends it like the terminal; returns the exit code and the remaining processes. */
  interrupt(): Promise<{ code: number | null; left: number[] }>;
}

async function start(dataDir: string): Promise<Start> {
  const command = ['start', '--silent', '--', '--port', '0', '--data-dir', dataDir];
  // A process group of its own, as a terminal creates it.
  const child = spawn('npm', command, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const readRun = async () => JSON.parse(await readFile(join(dataDir, 'local.json'), 'utf8')) as LocalRun;
  const run = await eventually<LocalRun | { failed: string }>(
    () => (child.exitCode === null ? readRun() : { failed: output }),
    { timeoutMs: 60_000 },
  );
  if ('failed' in run) throw new Error(run.failed);
  return { run, output: () => output, interrupt: () => interrupt(child, run) };
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

test('starts with hints, uses less than 1 GB of memory, and leaves no process', async () => {
  await using folder = await temporaryFolder('start');
  const { run, output, interrupt } = await start(join(folder.path, 'data'));
  expect(run.processes.every(({ restartable }) => restartable)).toBe(true);
  await eventually(() => expect(output()).toMatch(/curl -u \S+ \S+[^]*\/interactions\/\w+\n/));
  const link = /http\S+\/interactions\/[0-9A-Za-z]+/.exec(output())?.[0] ?? '';
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toMatch(/NPS follow-up|Candidate screening|Appointment reminder/);

  expect(await memoryMegabytes(run)).toBeLessThan(1_000);
  expect(await interrupt()).toEqual({ code: 0, left: [] });
});
