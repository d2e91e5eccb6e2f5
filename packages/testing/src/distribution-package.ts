import { execFile } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Debian, Ubuntu: unpacks a package and its missing dependencies below `files` in a folder, without installing them.
 * Uses the package lists of the system, else new ones. Throws without apt-get, without the package, or when one step
 * takes longer than `stepMsMax`.
 */
export async function unpackPackage(name: string, folder: string, stepMsMax: number): Promise<void> {
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
  const wanted = ['install', '--yes', '--download-only', '--no-install-recommends', name];
  const options = { cwd: folder, timeout: stepMsMax, env: { ...process.env, LC_ALL: 'C' } };
  try {
    await execute('apt-get', [...ours, ...wanted], options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('there is no apt-get', { cause: error });
    // The update fails if one source is unavailable, but another may have the package.
    await execute('apt-get', [...ours, ...ownLists, 'update'], options).catch(() => {});
    await execute('apt-get', [...ours, ...ownLists, ...wanted], options);
  }
  for (const file of await readdir(archives)) {
    if (file.endsWith('.deb')) await execute('dpkg-deb', ['-x', join(archives, file), files], options);
  }
  await Promise.all([cache, lists].map((path) => rm(path, { recursive: true })));
}
