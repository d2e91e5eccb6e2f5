import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FlagError, type Flags } from './flags.ts';

/**
 * The folder of the run, as an absolute path. One that is to be removed at the end must be ours: a new one, an empty
 * one, or one that an earlier run has made. Throws `FlagError` when it is not.
 */
export async function chooseDataDir({
  dataDir,
  ephemeral,
}: Pick<Flags, 'dataDir' | 'ephemeral'>): Promise<string> {
  if (dataDir === undefined) return mkdtemp(join(tmpdir(), 'parley-'));
  const path = resolve(dataDir);
  const content = await readdir(path).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw new FlagError(`--data-dir ${dataDir} cannot be used: ${error.message}`);
  });
  if (ephemeral && content.length > 0 && !content.includes('secrets.json')) {
    throw new FlagError(`--ephemeral would remove ${path}, which holds other files`);
  }
  return path;
}
