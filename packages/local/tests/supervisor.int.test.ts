import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findProcess } from '../src/files/leftover.ts';
import { freePort } from '../src/ports.ts';
import type { Program } from '../src/processes/program.ts';
import { type ProcessInfo, type Supervisor, supervise } from '../src/processes/supervisor.ts';

let logDir: string;
let shown: string[];
let published: ProcessInfo[];
let supervisor: Supervisor;

beforeEach(async () => {
  logDir = await mkdtemp(join(tmpdir(), 'parley-supervisor-test-'));
  shown = [];
  published = [];
  supervisor = supervise({
    logDir,
    show: (line) => shown.push(line),
    onChange: () => {
      published = supervisor.processes();
    },
  });
});

afterEach(async () => {
  await supervisor.kill();
  await rm(logDir, { recursive: true, force: true });
});

test('a killed child restarts with the same port and a new pid, and a line reports it', async () => {
  const port = await freePort();
  await supervisor.start(server('echo', port));
  const [before] = published;
  process.kill(pidOf(before), 'SIGKILL');

  await vi.waitFor(async () => {
    expect(published[0]?.pid).not.toBe(before?.pid);
    expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(200);
  }, 60_000);
  expect(published).toEqual([{ name: 'echo', pid: expect.any(Number), restartable: true }]);
  expect(shown.join('\n')).toContain(`echo (process ${before?.pid}) ended: SIGKILL`);
});

test('a stop proceeds in stages, and an unresponsive child is killed in time', async () => {
  const [polite, deaf] = [await freePort(), await freePort()];
  await Promise.all([
    supervisor.start(server('polite', polite)),
    supervisor.start(server('deaf', deaf, "process.on('SIGTERM', () => {});")),
  ]);
  const pids = supervisor.processes().map(pidOf);

  await supervisor.stop([
    { matches: (name) => name === 'polite', graceMs: 5_000 },
    { matches: (name) => name === 'deaf', graceMs: 200 },
  ]);
  expect(await Promise.all(pids.map(findProcess))).toEqual([undefined, undefined]);
  expect(shown).toEqual([]);
});

test('the output of a child is in its log, and alarms are shown once it is ready', async () => {
  const port = await freePort();
  await supervisor.start(server('loud', port, "console.error('alarm while starting');"));
  await fetch(`http://127.0.0.1:${port}/alarm`);
  await vi.waitFor(async () => {
    expect(await readFile(join(logDir, 'loud.log'), 'utf8')).toBe('alarm while starting\n/alarm\n');
    expect(shown).toEqual(['loud: /alarm']);
  }, 60_000);
});

test('a child that ends before it is ready is an error with its last lines, and is not supervised', async () => {
  const program = server('broken', await freePort(), "console.error('no luck'); process.exit(3);");
  await expect(supervisor.start(program)).rejects.toThrow(/broken ended: exit code 3 .*\n.*no luck/);
  expect(supervisor.processes()).toEqual([]);
});

test('the standard input of a child ends when its parent is killed', async () => {
  const watch = "process.stdin.once('end', () => process.exit(0)).resume();";
  const script = `import { spawnChild } from ${JSON.stringify(resolve(import.meta.dirname, '../src/processes/child.ts'))};
    const command = { file: process.execPath, args: ['-e', ${JSON.stringify(watch)}], stdinPipe: true };
    console.log(spawnChild(command, '/dev/null').pid);`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: starter.stdout }), 'line');
  expect((await findProcess(Number(line)))?.command).toContain('stdin');
  starter.kill('SIGKILL');
  await vi.waitFor(async () => expect(await findProcess(Number(line))).toBeUndefined(), 60_000);
});

function server(name: string, port: number, script = ''): Program {
  const code = `${script} require('node:http').createServer((request, response) => {
    if (request.url !== '/') console.error(request.url);
    response.end();
  }).listen(${port}, '127.0.0.1');`;
  return {
    name,
    command: async () => ({ file: process.execPath, args: ['-e', code], stdinPipe: true }),
    isReady: () =>
      fetch(`http://127.0.0.1:${port}`).then(
        ({ ok }) => ok,
        () => false,
      ),
    stopSignal: 'SIGTERM',
    alarmIn: (line) => (line.includes('alarm') ? line : undefined),
  };
}

function pidOf(info: ProcessInfo | undefined): number {
  expect(info).toBeDefined();
  return info?.pid ?? 0;
}
