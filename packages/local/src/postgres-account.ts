import { execFile } from 'node:child_process';
import { chmod, chown, cp, lstat, mkdir, readFile, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from './child.ts';

const run = promisify(execFile);

/** As whom Postgres runs and where its files are. */
export interface PostgresAccount {
  /** Folder with `initdb` and `postgres`. */
  binDir: string;
  /** Folder for the cluster; the account can write there. */
  clusterDir: string;
  /** Makes a command run under the account. */
  as: (command: Command) => Command;
  /** Gives a file or an empty folder to the account. */
  own: (path: string) => Promise<void>;
}

/** For a folder that another user must pass through to reach its own. */
const passableMode = 0o711;

/** Ways to run as someone else than root; a test may leave some out. */
export type RootWay = 'namespace' | 'uid';

/**
 * Postgres refuses to run as root. An ordinary user needs nothing special; for root there are, in this order:
 * a user namespace in which root bears another number (works in any folder that root owns), another uid (when it
 * can enter the folders), and another uid with its files under /var/tmp.
 */
export async function choosePostgresAccount(
  binDir: string,
  dataDir: string,
  ways: RootWay[] = ['namespace', 'uid'],
): Promise<PostgresAccount> {
  const own = {
    binDir,
    clusterDir: join(dataDir, 'cluster'),
    as: (command: Command) => command,
    own: async () => {},
  };
  if (process.getuid?.() !== 0) return own;

  const other = await unprivilegedIds();
  const ids = [`--map-user=${other.uid}`, `--map-group=${other.gid}`];
  const inNamespace: PostgresAccount = {
    ...own,
    as: (command) => ({
      ...command,
      file: 'unshare',
      args: ['-U', ...ids, '--', command.file, ...command.args],
    }),
    own: (path) => chown(path, 0, 0),
  };
  const asOther: PostgresAccount = {
    ...own,
    as: (command) => ({ ...command, ...other }),
    own: (path) => chown(path, other.uid, other.gid),
  };

  const elsewhere = otherFolder(dataDir);
  const isElsewhere = (await stat(elsewhere).catch(() => undefined)) !== undefined;
  if (!isElsewhere && ways.includes('namespace') && (await canUse(inNamespace, dataDir))) return inNamespace;
  if (!isElsewhere && ways.includes('uid')) {
    await chmod(dataDir, passableMode);
    if (await canUse(asOther, dataDir)) return asOther;
  }
  return inOtherFolder(asOther, elsewhere);
}

/** Where the cluster of this data folder is when it cannot be inside of it. */
export function otherFolder(dataDir: string): string {
  return `/var/tmp/parley-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
}

async function inOtherFolder(account: PostgresAccount, folder: string): Promise<PostgresAccount> {
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  // Anyone may write to /var/tmp: a folder that someone else has put there is not to be trusted.
  if (!found.isDirectory() || found.uid !== 0) throw new Error(`${folder} is not a folder of root's`);
  // Not at `mkdir`: the umask would take bits away.
  await chmod(folder, passableMode);
  const moved = { ...account, clusterDir: join(folder, 'cluster') };
  if (await canUse(moved, folder)) return moved;
  const native = join(folder, 'native');
  await cp(join(account.binDir, '..'), native, { recursive: true, verbatimSymlinks: true });
  return { ...moved, binDir: join(native, 'bin') };
}

/** Whether the account can execute the binaries and enter the folder (and write there, or be given a place). */
async function canUse(account: PostgresAccount, dataDir: string): Promise<boolean> {
  const script = 'test -x "$1" && test -x "$2"';
  const probe = account.as({
    file: 'sh',
    args: ['-c', script, 'sh', join(account.binDir, 'postgres'), dataDir],
  });
  const { file, args, ...options } = probe;
  return run(file, args, { ...options, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

async function unprivilegedIds(): Promise<{ uid: number; gid: number }> {
  // initdb looks its own number up, so it must be one that the system knows.
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const ordinary = users.filter(([, , uid]) => Number(uid) > 0);
  const found = ordinary.find(([name]) => name === 'nobody') ?? ordinary[0];
  if (!found) throw new Error('Postgres cannot run as root, and /etc/passwd has no other user');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
