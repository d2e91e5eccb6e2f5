// Installs the dependencies and prints the path of the Node that runs the TypeScript of this repository:
// 24.12 or newer. Plain JavaScript for Node 20 or newer, without dependencies, because it installs them.
// Messages go to standard error.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const pnpm = 'pnpm@12.21.0';
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.parley-installed');
const lockFile = join(modules, '.parley-installing');

const [major, minor] = process.versions.node.split('.').map(Number);
const runsTypeScript = major > 24 || (major === 24 && minor >= 12);
const isBundledPlatform =
  process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64');

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
// The shell that waits for this process. A signal may end it without reaching this process.
const shell = process.ppid;

main().catch((error) => fail(error.message));

async function main() {
  if (major < 20) fail(`Parley needs Node 20 or newer; this is ${process.version}`);
  if (!runsTypeScript && !isBundledPlatform) failForNode();
  if (!isInstalled()) await install();

  const node = runsTypeScript ? process.execPath : join(modules, `node-linux-${process.arch}/bin/node`);
  if (!existsSync(node)) failForNode();
  process.stdout.write(node);
}

function isInstalled() {
  try {
    return readFileSync(stampFile, 'utf8') === manifestHash();
  } catch {
    return false;
  }
}

function manifestHash() {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'];
  for (const group of ['packages', 'services']) {
    for (const name of readdirSync(join(root, group)).sort()) files.push(join(group, name, 'package.json'));
  }
  for (const file of files) {
    const path = join(root, file);
    if (existsSync(path)) hash.update(`\0${file}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

async function install() {
  mkdirSync(modules, { recursive: true });
  await lock();
  try {
    if (isInstalled()) return;
    rmSync(stampFile, { force: true });
    const hash = manifestHash();
    say('installing dependencies');
    const failure = await runChild('npx', ['--yes', pnpm, 'install', '--frozen-lockfile']);
    if (failure) fail(`the dependencies could not be installed (${failure}); see above. Nothing was started`);
    writeFileSync(stampFile, hash);
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/**
 * Returns the reason of a failure. Forwards signals to the child. A signal that ends the child also ends this
 * process.
 */
function runChild(command, args) {
  return new Promise((settle) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 2, 2],
      // Never prompt.
      env: { ...process.env, CI: 'true' },
    });
    const forward = (signal) => child.kill(signal);
    for (const signal of signals) process.on(signal, forward);
    const timer = setInterval(() => process.ppid === shell || child.kill('SIGTERM'), 500);
    const end = (failure) => {
      clearInterval(timer);
      for (const signal of signals) process.off(signal, forward);
      settle(failure);
    };
    child.once('error', (error) => end(`${command} cannot run: ${error.message}`));
    child.once('exit', (code, signal) => {
      if (signal) process.exit(128 + constants.signals[signal]);
      end(code === 0 ? undefined : `exit code ${code}`);
    });
  });
}

/**
 * Allows one install at a time in this checkout. Takes over the lock of a dead process; if several do, the
 * last one has it.
 */
async function lock() {
  const own = `${lockFile}.${process.pid}`;
  process.once('exit', () => {
    if (holder() === process.pid) rmSync(lockFile, { force: true });
  });
  for (let announced = false; ; ) {
    const pid = holder();
    if (!isAlive(pid)) {
      writeFileSync(own, String(process.pid));
      renameSync(own, lockFile);
      await sleep(100);
      if (holder() === process.pid) return;
    }
    if (!announced && pid) say(`waiting for another start (process ${pid}) to install the dependencies`);
    announced = true;
    await sleep(200);
  }
}

function holder() {
  try {
    return Number(readFileSync(lockFile, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function failForNode() {
  fail(
    `Parley needs Node 24.12 or newer, this is ${process.version}, and none can be installed for ` +
      `${process.platform}-${process.arch}: install Node 24 (https://nodejs.org) and run this again`,
  );
}

function fail(line) {
  say(line);
  process.exit(1);
}

function say(line) {
  process.stderr.write(`parley: ${line}\n`);
}

function sleep(ms) {
  return new Promise((wake) => setTimeout(wake, ms));
}
