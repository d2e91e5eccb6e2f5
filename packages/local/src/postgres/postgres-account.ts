import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, lstat, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from '../processes/child.ts';
import { StartError } from '../processes/program.ts';

const run = promisify(execFile);

export interface PostgresAccount {
  /** Folder with `initdb` and `postgres`. */
  binDir: string;
  clusterDir: string;
  /** Changes a command so that it runs under the account. */
  as: (command: Command) => Command;
  /** Makes the account the owner of a file or an empty folder. */
  own: (path: string) => Promise<void>;
}

/** The mode of a folder that another user must traverse to reach its own. */
const passableMode = 0o711;

/**
 * Chooses the account. Postgres refuses to run as root. An ordinary user needs nothing special. For root,
 * tries in this order: a user namespace in which root has another number (works in any folder owned by root),
 * another user in the same folder, and another user with its files in `fallbackFolder`.
 */
export async function choosePostgresAccount(binDir: string, dataDir: string): Promise<PostgresAccount> {
  const clusterDir = join(dataDir, 'cluster');
  if (process.getuid?.() !== 0) return { binDir, clusterDir, as: (command) => command, own: async () => {} };

  const other = await unprivilegedUser();
  const mapping = ['-U', `--map-user=${other.uid}`, `--map-group=${other.gid}`];
  const inNamespace: PostgresAccount = {
    binDir,
    clusterDir,
    as: (command) => ({
      ...command,
      file: 'unshare',
      args: [...mapping, '--', command.file, ...command.args],
    }),
    own: (path) => chown(path, 0, 0),
  };
  const asOther: PostgresAccount = {
    binDir,
    clusterDir,
    as: (command) => ({ ...command, ...other }),
    own: (path) => chown(path, other.uid, other.gid),
  };

  const fallback = fallbackFolder(dataDir);
  if (!existsSync(fallback)) {
    if (await canUse(inNamespace, dataDir)) return inNamespace;
    await chmod(dataDir, passableMode);
    if (await canUse(asOther, dataDir)) return asOther;
  }
  return moveTo(fallback, asOther);
}

/** Returns the folder of a cluster that cannot be inside its data folder. */
export function fallbackFolder(dataDir: string): string {
  return `/var/tmp/parley-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
}

/** Moves the cluster to the folder, and copies the binaries there if the account cannot execute them in place. */
async function moveTo(folder: string, account: PostgresAccount): Promise<PostgresAccount> {
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  // Anyone may write to /var/tmp: do not trust another user's files there.
  if (!found.isDirectory() || found.uid !== 0)
    throw new StartError(`${folder} is not a folder owned by root`);
  // The umask applies to `mkdir`.
  await chmod(folder, passableMode);
  const moved = { ...account, clusterDir: join(folder, 'cluster') };
  if (await canUse(moved, folder)) return moved;
  const copy = join(folder, 'native');
  await cp(join(account.binDir, '..'), copy, { recursive: true, verbatimSymlinks: true });
  return { ...moved, binDir: join(copy, 'bin') };
}

/** Returns whether the account can execute the binaries and enter the folder. */
async function canUse(account: PostgresAccount, folder: string): Promise<boolean> {
  const script = 'test -x "$1" && test -x "$2"';
  const args = ['-c', script, 'sh', join(account.binDir, 'postgres'), folder];
  const probe = account.as({ file: 'sh', args });
  return run(probe.file, probe.args, { ...probe, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  // initdb looks up its own user number, so the system must know it.
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const ordinary = users.filter(([, , uid]) => Number(uid) > 0);
  const found = ordinary.find(([name]) => name === 'nobody') ?? ordinary[0];
  if (!found) throw new StartError('Postgres cannot run as root, and /etc/passwd has no other user');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
