import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { dieWithParent } from './child.ts';
import { endLeftover } from './leftover.ts';
import { findNatsServer } from './nats-server.ts';
import { freePort, isReachable } from './ports.ts';
import { makePrivateFolder, writePrivateText } from './private-files.ts';
import { type Program, type Server, type ServerProgram, startServer } from './program.ts';

interface NatsOptions {
  /** The folder of the streams; created if missing, otherwise reused. */
  dataDir: string;
  /** Any free port by default. */
  port?: number;
  /** The password of the user `parley`. Without one, everyone on this machine may connect. */
  password?: string;
  /** Further arguments for the server. */
  args?: string[];
  /** The environment with `NATS_SERVER_BIN` and `PATH`. Default: that of this process. */
  env?: NodeJS.ProcessEnv;
  /** Called with a line before a fetch, which can take a while. */
  onProgress?: (line: string) => void;
  /** Ends a fetch. */
  signal?: AbortSignal;
}

const user = 'parley';

/** Starts a NATS server with JetStream on 127.0.0.1, and fetches one if needed. Throws `StartError`. */
export async function startNats(options: NatsOptions): Promise<Server> {
  return startServer(await natsProgram(options), join(options.dataDir, 'nats.log'));
}

/** Finds the server, writes its configuration and returns its program. */
export async function natsProgram(options: NatsOptions): Promise<ServerProgram> {
  const { args = [], env = process.env, onProgress = () => {}, password, signal } = options;
  const dataDir = resolve(options.dataDir);
  await makePrivateFolder(dataDir);
  const file = await findNatsServer(env, onProgress, signal);
  const port = options.port ?? (await freePort());
  const configFile = join(dataDir, 'nats.conf');
  const pidFile = join(dataDir, 'nats.pid');
  await writePrivateText(configFile, configOf(port, join(dataDir, 'streams'), pidFile, password));

  const program: Program = {
    name: 'nats',
    command: async () => {
      const leftover = await readFile(pidFile, 'utf8').catch(() => '');
      if (leftover) await endLeftover(Number(leftover), configFile, 'SIGTERM', 5_000);
      await rm(pidFile, { force: true });
      return dieWithParent({ file, args: ['-c', configFile, ...args] }, 'TERM');
    },
    isReady: async (pid) => {
      const written = await readFile(pidFile, 'utf8').catch(() => '');
      return written.trim() === String(pid) && (await isReachable(`127.0.0.1:${port}`, '"jetstream":true'));
    },
    stopSignal: 'SIGTERM',
    // The password is in a private file: NATS' advice to hash it does not apply.
    alarmIn: (line) => /\[(?:WRN|ERR|FTL)\](?! Plaintext passwords).*/.exec(line)?.[0],
  };
  const userinfo = password ? `${user}:${password}@` : '';
  return { program, port, url: `nats://${userinfo}127.0.0.1:${port}` };
}

function configOf(port: number, storeDir: string, pidFile: string, password?: string): string {
  return [
    ...(password ? [`authorization { user: ${user}, password: ${JSON.stringify(password)} }`] : []),
    'host: "127.0.0.1"',
    `port: ${port}`,
    'server_name: "parley-local"',
    `pid_file: ${JSON.stringify(pidFile)}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(storeDir)}`,
    '  max_memory_store: 64MB',
    '  max_file_store: 4GB',
    '}',
    '',
  ].join('\n');
}
