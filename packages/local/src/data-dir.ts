import { access, chmod, constants, mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { lockDataDir, lockFile } from './data-lock.ts';
import { FlagError } from './flags.ts';

/** The data folder of a run, which has it alone until `release` or `remove`. */
export interface DataDir {
  /** Absolute. */
  path: string;
  /** Whether nothing was in it: all that is in it now is of this run. */
  wasEmpty: boolean;
  /** Lets others have the folder as it is. */
  release(): Promise<void>;
  /** Removes all that is in the folder. After a failed start the folder itself stays if it was there before. */
  remove(after: 'run' | 'failed start'): Promise<void>;
}

/** Says that an ephemeral run has made what is here, so that a later one may go on with it and remove it. */
const markFile = 'ephemeral-run';
const mark =
  'An ephemeral run of Parley has made what is in this folder. The end of the next one here removes it.\n';

/**
 * Takes the folder for this run, made if need be; without a name a new one under the system's temporary folder. An
 * ephemeral run, at whose end it is removed, gets only what an ephemeral run has made, or an empty one. Throws `FlagError`
 * when it is not, or cannot be written to, `StartError` when another run has it; then nothing in it has changed.
 */
export async function openDataDir(name: string | undefined, ephemeral: boolean): Promise<DataDir> {
  const path = name === undefined ? await mkdtemp(join(tmpdir(), 'parley-')) : resolve(name);
  const made = await prepare(path).catch((error: Error) => {
    throw new FlagError(`--data-dir ${path} cannot be used: ${error.message}`);
  });
  // Before anything is written to it, and again when nobody else can.
  if (ephemeral) await refuseForeign(path);
  const lock = await lockDataDir(path);
  try {
    if (ephemeral) await refuseForeign(path);
    const wasEmpty = (await contentOf(path)).length === 0;
    if (ephemeral) await writeFile(join(path, markFile), mark);
    // From now on it is kept.
    else await rm(join(path, markFile), { force: true });
    return {
      path,
      wasEmpty,
      release: lock.release,
      remove: async (after) => {
        await empty(path);
        await lock.release();
        const removed = after === 'run' || name === undefined ? [path] : made;
        // This fails if another run has taken the folder meanwhile, and for the root of a file system.
        for (const each of removed) await rmdir(each).catch(() => {});
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Returns the folders that it had to make, the innermost first. */
async function prepare(path: string): Promise<string[]> {
  const made = await makeFolder(path);
  await access(path, constants.W_OK);
  await readdir(path);
  return made;
}

async function refuseForeign(path: string): Promise<void> {
  const content = await contentOf(path);
  if (content.length === 0 || content.includes(markFile)) return;
  const what = content.includes('secrets.json') ? 'the data of runs without --ephemeral' : 'other files';
  throw new FlagError(
    `--ephemeral would remove ${path}, which holds ${what}: name an empty folder or one that is to be made, or none`,
  );
}

async function contentOf(path: string): Promise<string[]> {
  return (await readdir(path)).filter((name) => name !== lockFile);
}

/** The mark goes last: what is cut short is found marked. */
async function empty(path: string): Promise<void> {
  const names = (await contentOf(path)).filter((name) => name !== markFile);
  await Promise.all(names.map((name) => rm(join(path, name), { recursive: true, force: true })));
  await rm(join(path, markFile), { force: true });
}

/** Only the owner can list it. Root's Postgres may run as another user, which has to pass through it. */
const mode = process.getuid?.() === 0 ? 0o711 : 0o700;

/** As `mkdir` with `recursive`, which never ends where nothing can be made, say below /proc. Returns what it made. */
async function makeFolder(path: string): Promise<string[]> {
  const make = async (): Promise<string> => {
    await mkdir(path);
    // Not at `mkdir`: the umask would take bits away.
    await chmod(path, mode);
    return path;
  };
  try {
    return [await make()];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return [];
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    const above = await makeFolder(dirname(path));
    return [await make(), ...above];
  }
}
