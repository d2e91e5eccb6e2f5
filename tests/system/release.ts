import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtempDisposable, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');

interface Release {
  tag: string;
  commit: string;
}

/** The newest release of `deploy/releases.json`, which names commits because a clone may lack the tags. */
export const lastRelease: Release = (
  JSON.parse(readFileSync(resolve(root, 'deploy/releases.json'), 'utf8')) as Release[]
).at(-1) as Release;

export async function git(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/**
 * Returns why the files of the last release cannot be read: a shallow clone lacks its commit. Undefined if they can.
 * Throws instead if CI is set.
 */
export async function obstacleToRelease(): Promise<string | undefined> {
  const { tag, commit } = lastRelease;
  try {
    await git('cat-file', '-e', `${commit}^{commit}`);
    return undefined;
  } catch (cause) {
    const message = `the clone lacks the commit of ${tag}; git fetch --unshallow fetches it`;
    if (process.env['CI']) throw new Error(message, { cause });
    return message;
  }
}

/** Writes files of the last release below a folder. `paths` are relative to the repository; none means all. */
export async function extractRelease(folder: string, ...paths: string[]): Promise<void> {
  const archive = resolve(folder, 'release.tar');
  await git('archive', '--output', archive, lastRelease.commit, ...paths);
  await promisify(execFile)('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
}

/**
 * Returns a folder with the last release, ready to run. Later test runs use it again. It is not in `node_modules`,
 * because Node strips no types there.
 */
export async function installRelease(): Promise<string> {
  const parent = resolve(root, 'test-output');
  const folder = join(parent, `release-${lastRelease.commit}`);
  if (!existsSync(folder)) {
    await mkdir(parent, { recursive: true });
    await using unfinished = await mkdtempDisposable(join(parent, 'unfinished-'));
    await extractRelease(unfinished.path);
    await rename(unfinished.path, folder).catch((error: NodeJS.ErrnoException) => {
      // A concurrent test run was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  // Both scripts skip what they have done before.
  for (const script of ['packages/local/bootstrap.mjs', 'packages/browser-files/build.ts'])
    await promisify(execFile)(process.execPath, [script], { cwd: folder });
  return folder;
}
