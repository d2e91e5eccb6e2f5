import { execFile, type ExecFileOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Debian, Ubuntu: unpacks packages and their missing dependencies below `files` in a folder, without installing them.
 * Uses the package lists of the system, else new ones. Throws without apt-get, without a package, or when one step
 * takes longer than `stepMsMax`. The signal ends a step.
 */
export async function unpackPackage(
  names: string | readonly string[],
  folder: string,
  stepMsMax: number,
  signal?: AbortSignal,
): Promise<void> {
  const cache = join(folder, 'cache');
  const archives = join(cache, 'archives');
  const lists = join(folder, 'lists');
  const files = join(folder, 'files');
  await Promise.all(
    [join(archives, 'partial'), join(lists, 'partial'), files].map((path) =>
      mkdir(path, { recursive: true }),
    ),
  );
  const ours = [
    '-qq',
    '-o',
    `Dir::Cache=${cache}`,
    '-o',
    'APT::Sandbox::User=root',
    '-o',
    'Debug::NoLocking=1',
  ];
  const ownLists = ['-o', `Dir::State::Lists=${lists}`];
  const wanted = ['install', '--yes', '--download-only', '--no-install-recommends', ...[names].flat()];
  const options = { cwd: folder, timeout: stepMsMax, env: { ...process.env, LC_ALL: 'C' }, signal };
  try {
    await runFile('apt-get', [...ours, ...wanted], options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('there is no apt-get', { cause: error });
    signal?.throwIfAborted();
    // The update fails if one source is unavailable, but another may have the package.
    await runFile('apt-get', [...ours, ...ownLists, 'update'], options).catch(() => {});
    await runFile('apt-get', [...ours, ...ownLists, ...wanted], options);
  }
  const debs = (await readdir(archives)).filter((file) => file.endsWith('.deb'));
  if (debs.length === 0) throw new Error('apt-get fetched nothing');
  for (const deb of debs) await runFile('dpkg-deb', ['-x', join(archives, deb), files], options);
  await Promise.all([cache, lists].map((path) => rm(path, { recursive: true })));
}

/**
 * Runs a program. If the signal ends it, throws only after its exit, because it writes into the work folder
 * until then.
 */
export async function runFile(file: string, args: string[], options: ExecFileOptions): Promise<void> {
  const running = execute(file, args, options);
  const { child } = running;
  try {
    await running;
  } finally {
    const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    if (isRunning) await once(child, 'exit');
  }
}
