import { access, constants, mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { FlagError, type Flags } from './flags.ts';

/**
 * The folder of the run, made if need be, as an absolute path. One that is to be removed at the end must be ours: a new
 * one, an empty one, or one that an earlier run has made. Throws `FlagError` when it is not, or cannot be written to.
 */
export async function chooseDataDir({
  dataDir,
  ephemeral,
}: Pick<Flags, 'dataDir' | 'ephemeral'>): Promise<string> {
  if (dataDir === undefined) return mkdtemp(join(tmpdir(), 'parley-'));
  const path = resolve(dataDir);
  const content = await contentOf(path).catch((error: Error) => {
    throw new FlagError(`--data-dir ${dataDir} cannot be used: ${error.message}`);
  });
  if (ephemeral && content.length > 0 && !content.includes('secrets.json')) {
    throw new FlagError(`--ephemeral would remove ${path}, which holds other files`);
  }
  return path;
}

async function contentOf(path: string): Promise<string[]> {
  await makeFolder(path);
  await access(path, constants.W_OK);
  return readdir(path);
}

/** As `mkdir` with `recursive`, which never ends where nothing can be made, say below /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}
