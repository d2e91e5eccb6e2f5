import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isExecutable, sharedBinDir } from '@parley/local/processes/nats-server';
import { type DistributionProgram, reasonOf, unpackInto } from './distribution-program.ts';

const cache = resolve(sharedBinDir, '../go');

/** Its dependencies are the compiler and the standard library. */
const packageName = 'golang-go';

/**
 * Builds with the detector of data races. Without optimisation, the standard library compiles in a fraction of the
 * time, and builds with the same flags share the result.
 */
export const raceFlags: readonly string[] = ['-race', '-gcflags=all=-N -l'];

/**
 * Returns a `go` of 1.19 or newer: `GO_BIN`, the `PATH`, else the distribution's package, unpacked into the cache of
 * the checkout. It uses no network and nothing outside of that cache. Throws if there is none.
 */
export async function findGo(): Promise<DistributionProgram> {
  const named = process.env['GO_BIN'];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  for (const path of named ? [named] : folders.map((folder) => join(folder, 'go')))
    if ((await isExecutable(path)) && (await isNewEnough(path))) return programAt(path);
  if (named) throw new Error(`GO_BIN is ${named}, which is no Go 1.19`);
  const kept = join(sharedBinDir, packageName);
  const unpacked = (): string | undefined =>
    globSync('usr/lib/go-*/bin/go', { cwd: join(kept, 'files') }).map((path) => join(kept, 'files', path))[0];
  try {
    if (!unpacked()) await unpackInto(kept, packageName);
    const path = unpacked();
    if (path && (await isNewEnough(path))) return await programAt(path);
    throw new Error(`the package ${packageName} has no Go 1.19`);
  } catch (cause) {
    const advice = `install ${packageName} or set GO_BIN`;
    throw new Error(`no Go is available; ${advice} (${reasonOf(cause)})`, { cause });
  }
}

/** Runs `go` in a folder. Returns its output; the error has what it has written. */
export async function runGo(folder: string, ...args: string[]): Promise<string> {
  const { path, env } = await findGo();
  const options = { cwd: folder, env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(path, args, options);
  return stdout;
}

/** Builds the program of a folder in the cache. Returns its path. */
export async function buildGo(folder: string, name: string, ...flags: string[]): Promise<string> {
  const program = join(cache, 'bin', name);
  await runGo(folder, 'build', ...flags, '-o', program, '.');
  return program;
}

async function programAt(path: string): Promise<DistributionProgram> {
  await mkdir(cache, { recursive: true });
  const own = path.startsWith(sharedBinDir) && { GOROOT: dirname(dirname(path)) };
  const env = {
    ...own,
    GOCACHE: join(cache, 'build'),
    GOPATH: join(cache, 'path'),
    GOENV: 'off',
    GOFLAGS: '-mod=mod',
    GOPROXY: 'off',
    GOTOOLCHAIN: 'local',
    // Rarer garbage collections of the compiler save a seventh of its processor time.
    GOGC: '400',
  };
  return { path, env };
}

async function isNewEnough(path: string): Promise<boolean> {
  const root = path.startsWith(sharedBinDir) && { GOROOT: dirname(dirname(path)) };
  const { stdout } = await promisify(execFile)(path, ['version'], {
    env: { ...process.env, ...root, GOENV: 'off', GOTOOLCHAIN: 'local' },
  }).catch(() => ({ stdout: '' }));
  const [, minor = '0'] = /^go version go1\.(\d+)/.exec(stdout) ?? [];
  return Number(minor) >= 19;
}
