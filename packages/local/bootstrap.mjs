// Runs a TypeScript entry of this repository: node packages/local/bootstrap.mjs <entry.ts> [arguments...]
// Plain JavaScript without dependencies, since it is what installs them. Node 20 or newer is enough for it; the entry
// gets Node 24.12 or newer. Nothing is written to standard output, which belongs to the entry.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const pnpm = 'pnpm@12.21.0';
const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.parley-installed');
const lockFile = join(modules, '.parley-installing');
const compileCache = join(modules, '.cache/compile');

const [major, minor] = process.versions.node.split('.').map(Number);
const runsTypeScript = major > 24 || (major === 24 && minor >= 12);
const isBundledPlatform =
  process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64');

main().catch((error) => fail(error.message));

async function main() {
  const [entry, ...args] = process.argv.slice(2);
  if (!entry) fail('usage: node packages/local/bootstrap.mjs <entry.ts> [arguments...]', 2);
  if (major < 20) fail(`Parley needs Node 20 or newer; this is ${process.version}`);
  if (!runsTypeScript && !isBundledPlatform) failForNode();
  if (!isInstalled()) await install();

  const node = runsTypeScript ? process.execPath : join(modules, `node-linux-${process.arch}/bin/node`);
  if (!existsSync(node)) failForNode();
  process.env.PATH = [dirname(node), join(modules, '.bin'), process.env.PATH].join(delimiter);
  process.env.NODE_COMPILE_CACHE = compileCache;
  if (process.env.npm_lifecycle_event) endWithParent();
  if (runsTypeScript) runHere(resolve(entry), args);
  else runIn(node, resolve(entry), args);
}

/** This Node will do: the entry runs in this very process. */
function runHere(entry, args) {
  module.enableCompileCache(compileCache);
  process.argv = [process.argv[0], entry, ...args];
  // What it throws is not caught: Node reports it as if the entry had been started directly.
  void import(pathToFileURL(entry).href);
}

/** The entry runs as a child, which gets our signals, ends when we are killed, and whose end is ours. */
function runIn(node, entry, args) {
  const child = spawn(
    node,
    ['--import', pathToFileURL(join(here, 'follow-parent.mjs')).href, entry, ...args],
    {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, PARLEY_BOOTSTRAP_PID: String(process.pid) },
    },
  );
  forwardSignals(child);
  child.once('error', (error) => fail(`${node} cannot run: ${error.message}`));
  child.once('exit', endLike);
}

/**
 * Under npm, the end of our parent is the end of what was asked for: npm passes a signal on to its shell only, and a
 * shell that dies of it does not tell us.
 */
function endWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}

/** Whether what is installed is what the manifests ask for now. */
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
    const end = await runPnpm(['install', '--frozen-lockfile']);
    if (end.signal) endLike(null, end.signal);
    if (end.code !== 0)
      fail(`the dependencies could not be installed (${end.why}); see above. Nothing was started`);
    writeFileSync(stampFile, hash);
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function runPnpm(args) {
  return new Promise((settle) => {
    const child = spawn('npx', ['--yes', pnpm, ...args], {
      cwd: root,
      // Its progress goes to our standard error. CI: it asks no questions.
      stdio: ['ignore', 2, 2],
      env: { ...process.env, CI: 'true' },
    });
    forwardSignals(child);
    child.once('error', (error) => settle({ code: 1, why: `npx cannot run: ${error.message}` }));
    child.once('exit', (code, signal) => settle({ code, signal, why: `exit code ${code}` }));
  });
}

/** One install at a time in this checkout. A lock whose holder is gone may be taken over; the last taker has it. */
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

function forwardSignals(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const forward = () => child.kill(signal);
    process.on(signal, forward);
    child.once('exit', () => process.off(signal, forward));
  }
}

/** Ends as the child did, so that whoever waits for us sees the same. */
function endLike(code, signal) {
  if (!signal) process.exit(code ?? 1);
  process.exitCode = 128 + constants.signals[signal];
  process.kill(process.pid, signal);
  // A signal that this process survives.
  setTimeout(() => process.exit(), 100);
}

function failForNode() {
  fail(
    `Parley needs Node 24.12 or newer, this is ${process.version}, and none can be installed for ` +
      `${process.platform}-${process.arch}: install Node 24 (https://nodejs.org) and run this again`,
  );
}

function fail(line, code = 1) {
  say(line);
  process.exit(code);
}

function say(line) {
  process.stderr.write(`parley: ${line}\n`);
}

function sleep(ms) {
  return new Promise((wake) => setTimeout(wake, ms));
}
