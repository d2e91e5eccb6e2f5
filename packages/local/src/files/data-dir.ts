import {
  access,
  chmod,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FlagError } from '../flags.ts';
import { findProcess } from './leftover.ts';
import { StartError } from '../processes/program.ts';

/** The data folder of a run, locked until `release` or `remove`. */
export interface DataDir {
  /** Absolute. */
  path: string;
  /** Whether it was empty before this run. */
  wasEmpty: boolean;
  /** Unlocks the folder and keeps its content. */
  release(): Promise<void>;
  remove(): Promise<void>;
}

/** Contains the id of the process that has locked the folder. */
const lockFile = 'run.lock';

/** Marks the folder of an ephemeral run, so that a later ephemeral run may use and remove it. */
const markFile = 'ephemeral-run';
const mark =
  'An ephemeral run of Parley created this content. The next ephemeral run in this folder deletes it when it stops.\n';

const secretsFile = 'secrets.json';
/** What a first start writes before its secrets. An interrupted one leaves it. */
const firstFiles = ['logs', 'ports.json'];

/**
 * Creates the folder if needed and locks it for this run. Without a name it is a new temporary folder. The folder must
 * be empty or from an earlier run. An ephemeral run removes it at the end, so it must not have kept data. Throws
 * `FlagError` for any other or unusable folder, `StartError` if another run has locked it. Then the folder is
 * unchanged.
 */
export async function openDataDir(name: string | undefined, ephemeral: boolean): Promise<DataDir> {
  const path = name === undefined ? await mkdtemp(join(tmpdir(), 'parley-')) : resolve(name);
  try {
    await makeFolder(path);
    await access(path, constants.W_OK);
    await readdir(path);
    await requireOwn(path, ephemeral);
  } catch (error) {
    if (error instanceof FlagError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOTDIR' ? 'it, or a part of its path, is a file' : message;
    throw new FlagError(`--data-dir ${path} cannot be used: ${reason}`);
  }
  await lock(path);
  const release = (): Promise<void> => rm(join(path, lockFile), { force: true });
  try {
    // Checked again, now that the folder is locked.
    await requireOwn(path, ephemeral);
    const wasEmpty = (await contentOf(path)).length === 0;
    if (ephemeral) await writeFile(join(path, markFile), mark);
    else await rm(join(path, markFile), { force: true });
    return { path, wasEmpty, release, remove: () => remove(path, release) };
  } catch (error) {
    await release();
    throw error;
  }
}

async function requireOwn(path: string, ephemeral: boolean): Promise<void> {
  const content = await contentOf(path);
  if (content.length === 0 || content.includes(markFile)) return;
  const isKept = content.includes(secretsFile);
  if (!ephemeral && (isKept || content.every((name) => firstFiles.includes(name)))) return;
  const what = isKept ? 'the data of runs without --ephemeral' : 'other files';
  throw new FlagError(
    `${ephemeral ? '--ephemeral would remove' : 'a run would write into'} ${path}, which contains ${what}. ` +
      'Use an empty or new folder, or omit --data-dir',
  );
}

async function contentOf(path: string): Promise<string[]> {
  return (await readdir(path)).filter((name) => name !== lockFile);
}

async function remove(path: string, release: () => Promise<void>): Promise<void> {
  const names = (await contentOf(path)).filter((name) => name !== markFile);
  await Promise.all(names.map((name) => rm(join(path, name), { recursive: true, force: true })));
  // Last: an interrupted removal keeps the mark.
  await rm(join(path, markFile), { force: true });
  await release();
  // Fails if another run has taken the folder, and for a mount point.
  await rmdir(path).catch(() => {});
}

async function lock(path: string): Promise<void> {
  const file = join(path, lockFile);
  const own = `${process.pid} ${(await findProcess(process.pid))?.startedAt}`;
  const [pid = '', ...startedAt] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
  const isHeld = (await findProcess(Number(pid)))?.startedAt === startedAt.join(' ');
  if (isHeld && Number(pid) !== process.pid) throw inUse(path, pid);

  // If two runs find no living holder at the same moment, the one that writes last has the lock.
  const next = `${file}.${process.pid}.tmp`;
  await writeFile(next, own);
  await rename(next, file);
  await delay(20);
  const holder = await readFile(file, 'utf8').catch(() => '');
  if (holder !== own) throw inUse(path, holder.split(' ')[0] ?? '');
}

function inUse(path: string, pid: string): StartError {
  return new StartError(
    `${path} is in use by another run (process ${pid}); stop it or give another --data-dir`,
  );
}

/** Only the owner can list it. Root's Postgres may run as another user, which must be able to traverse it. */
const folderMode = process.getuid?.() === 0 ? 0o711 : 0o700;

/**
 * Like `mkdir` with `recursive`, which never returns in a folder where nothing can be created, such as /proc.
 */
async function makeFolder(path: string): Promise<void> {
  const make = async (): Promise<void> => {
    await mkdir(path);
    // The umask applies to `mkdir`.
    await chmod(path, folderMode);
  };
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  }
}
