import { globSync } from 'node:fs';
import { mkdir, mkdtempDisposable, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackPackage } from '@parley/local/processes/distribution-package';
import { isExecutable, sharedBinDir } from '@parley/local/processes/nats-server';

/** A program of a Debian package, and the variables that it needs to find its libraries. */
export interface DistributionProgram {
  path: string;
  env: NodeJS.ProcessEnv;
}

const stepMsMax = 240_000;

/**
 * Returns a program of a package: the installed one, else the package's, unpacked into the cache of the checkout.
 * `path` is relative to `/`. A string says why there is none. Throws instead if CI is set.
 */
export async function findDistributionProgram(
  name: string,
  path: string,
): Promise<DistributionProgram | string> {
  if (await isExecutable(`/${path}`)) return { path: `/${path}`, env: {} };
  const kept = join(sharedBinDir, name);
  try {
    if (!(await isExecutable(join(kept, 'files', path)))) await unpackInto(kept, name);
    const files = join(kept, 'files');
    const libraries = globSync('{usr/,}lib/*-linux-gnu*', { cwd: files });
    const paths = libraries.map((folder) => join(files, folder));
    return { path: join(files, path), env: { LD_LIBRARY_PATH: paths.join(':') } };
  } catch (cause) {
    const message = `there is no ${path}, and the package ${name} cannot be fetched: ${reasonOf(cause)}`;
    if (process.env['CI']) throw new Error(message, { cause });
    return message;
  }
}

/** Unpacks packages into a folder of the cache. The first of two parallel runs wins. */
export async function unpackInto(folder: string, names: string | readonly string[]): Promise<void> {
  await mkdir(sharedBinDir, { recursive: true });
  await using work = await mkdtempDisposable(join(sharedBinDir, 'fetch-'));
  console.error(`fetching the distribution's package ${[names].flat().join(', ')}`);
  await unpackPackage(names, work.path, stepMsMax);
  await rename(work.path, folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

/** Returns the first line of what a tool has written about its failure. */
export function reasonOf(error: unknown): string {
  const { message, stderr } = error as Error & { stderr?: string };
  return (stderr?.trim() || message).split('\n')[0] ?? '';
}
