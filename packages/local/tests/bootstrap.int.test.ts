import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findProcess } from '../src/files/leftover.ts';

// A checkout in miniature: the real bootstrap, one package, and an `npx` that replaces the package manager.
let root: string;
let started: ChildProcess[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-bootstrap-test-'));
  started = [];
  const local = join(root, 'packages/local');
  await mkdir(local, { recursive: true });
  await mkdir(join(root, 'services'));
  await mkdir(join(root, 'bin'));
  for (const file of ['run.sh', 'bootstrap.mjs', 'preload.mjs']) {
    await cp(resolve(import.meta.dirname, '..', file), join(local, file));
  }
  await writeFile(join(local, 'package.json'), '{}');
  await writeFile(join(root, 'package.json'), '{}');
  await writeFile(join(root, 'pnpm-lock.yaml'), '');
  await writePackageManager('echo run >> "$ROOT/installs"; sleep 0.3');
  await writeFile(
    join(root, 'entry.ts'),
    `const args: string[] = process.argv.slice(2);
    if (args[0] === 'wait') {
      process.on(args[1] as NodeJS.Signals, () => { console.log('drained'); process.exit(7); });
      setInterval(() => {}, 1_000);
    }
    console.log(JSON.stringify({ pid: process.pid, args }));
    if (args[0] === 'exit') process.exit(Number(args[1]));
    if (args[0] === 'print') process.stdout.write('x'.repeat(1e7));
    if (args[0] === 'print' && args[1]) process.stdout.on('error', () => process.exit(Number(args[1])));`,
  );
});

afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

test('dependencies are installed once, again when a manifest has changed, and standard output is the entry’s', async () => {
  expect(await run('exit', '0')).toMatchObject({ code: 0, out: { args: ['exit', '0'] } });
  expect((await run('exit', '3')).code).toBe(3);
  expect(await installs()).toBe(1);

  await writeFile(join(root, 'packages/local/package.json'), '{ "name": "changed" }');
  await run('exit', '0');
  expect(await installs()).toBe(2);
});

test('two concurrent starts install once', async () => {
  const both = await Promise.all([run('exit', '0'), run('exit', '0')]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await installs()).toBe(1);
});

test('the lock of a killed install does not block the next one', async () => {
  await mkdir(join(root, 'node_modules'));
  await writeFile(join(root, 'node_modules/.parley-installing'), '999999999');
  expect((await run('exit', '0')).code).toBe(0);
});

test('a failed install ends with one clear line and starts nothing, and the next start retries it', async () => {
  await writePackageManager('exit 4');
  for (let times = 0; times < 2; times += 1) {
    const failed = await run('exit', '0');
    expect(failed).toMatchObject({ code: 1, out: undefined });
    expect(failed.err).toContain('parley: the dependencies could not be installed (exit code 4)');
  }
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s reaches the entry, whose exit code is returned',
  async (signal) => {
    const child = await startWaiting(signal);
    const output = text(child.stdout);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([7, null]);
    expect(await output).toContain('drained');
  },
);

test('on a Node without TypeScript, another Node runs the entry: as the only process, with unchanged arguments', async () => {
  await pretendNode('22.1.0');
  await linkNode();
  const child = startEntry(['exit', '0', 'two words', '$HOME', "'"]);
  const out = JSON.parse(await text(child.stdout)) as { pid: number; args: string[] };
  expect(out).toEqual({ pid: child.pid, args: ['exit', '0', 'two words', '$HOME', "'"] });
});

test('a signal during the install ends it, and starts nothing', async () => {
  await writePackageManager('echo $$ > "$ROOT/installer"; exec sleep 60');
  const child = startEntry(['exit', '0']);
  const output = text(child.stdout);
  const installer = await vi.waitFor(async () => {
    const pid = await readFile(join(root, 'installer'), 'utf8');
    expect(pid).toMatch(/^\d+\n$/);
    return Number(pid);
  }, 60_000);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  expect(await output).toBe('');
  await vi.waitFor(async () => expect(await findProcess(installer)).toBeUndefined(), { timeout: 60_000 });
});

test('under npm, the entry drains when npm has ended', async () => {
  const shell = spawn('sh', ['-c', 'sh packages/local/run.sh entry.ts wait SIGTERM; true'], {
    cwd: root,
    env: { ...environment(), npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(shell);
  const [chunk] = await once(shell.stdout, 'data');
  expect(JSON.parse(String(chunk))).toMatchObject({ args: ['wait', 'SIGTERM'] });
  shell.kill('SIGKILL');
  expect(await text(shell.stdout)).toContain('drained');
});

test('an entry without a reader of its output exits silently, unless it handles that itself', async () => {
  await run('exit', '0');
  for (const args of [['print'], ['print', '9']]) {
    const child = startEntry(args);
    const err = text(child.stderr);
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await once(child, 'exit');
    expect({ code, err: await err }).toEqual({ code: Number(args[1] ?? 141), err: '' });
  }
});

test('a Node that is too old is reported', async () => {
  await pretendNode('18.20.0');
  const child = startEntry(['nothing']);
  const err = text(child.stderr);
  expect((await once(child, 'exit'))[0]).toBe(1);
  expect(await err).toContain('parley: Parley needs Node 20 or newer');
});

async function run(
  ...args: string[]
): Promise<{ code: number | null; out: { args: string[] } | undefined; err: string }> {
  const child = startEntry(args);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out: out ? JSON.parse(out) : undefined, err };
}

/** The entry, once it waits for the signal. */
async function startWaiting(signal: NodeJS.Signals) {
  const child = startEntry(['wait', signal]);
  await once(child.stdout, 'data');
  return child;
}

function startEntry(args: string[]) {
  const child = spawn('sh', ['packages/local/run.sh', 'entry.ts', ...args], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  return child;
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: `${join(root, 'bin')}:${process.env['PATH']}`, ROOT: root };
}

/** Makes the `node` of the PATH report another version. */
async function pretendNode(version: string): Promise<void> {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const preload = `data:text/javascript,${encodeURIComponent(code)}`;
  await writeProgram('node', `exec ${process.execPath} --import "${preload}" "$@"`);
}

async function linkNode(): Promise<void> {
  const bin = join(root, `node_modules/node-linux-${process.arch}/bin`);
  await mkdir(bin, { recursive: true });
  await symlink(process.execPath, join(bin, 'node'));
}

async function writePackageManager(script: string): Promise<void> {
  await writeProgram('npx', script);
}

async function writeProgram(name: string, script: string): Promise<void> {
  const path = join(root, 'bin', name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

async function installs(): Promise<number> {
  return (await readFile(join(root, 'installs'), 'utf8')).trim().split('\n').length;
}
