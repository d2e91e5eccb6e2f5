import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { busAdmin, busAuthorization } from '@parley/contracts/bus-users';
import { dieWithParent } from './child.ts';
import { endLeftover } from '../files/leftover.ts';
import { findNatsServer } from './nats-server.ts';
import { freePort, isReachable } from '../ports.ts';
import { makePrivateFolder, writePrivateText } from '../files/private-files.ts';
import { type Program, type Server, type ServerProgram, startServer } from './program.ts';

interface NatsOptions {
  /** The name of the process and of the server. Default: `nats`. */
  name?: string;
  /** The folder of the streams; created if missing, otherwise reused. */
  dataDir: string;
  /** Any free port by default. */
  port?: number;
  /** The passwords of the users of `busAuthorization`. Without it, everyone on this machine may do everything. */
  passwordOf?: (user: string) => string;
  /** Consumers of other teams, each of which is a user. */
  consumers?: readonly string[];
  cluster?: ClusterMember;
  args?: string[];
  /** The environment with `NATS_SERVER_BIN` and `PATH`. Default: the environment of this process. */
  env?: NodeJS.ProcessEnv;
  /** Called with a line before a fetch, which can take a while. */
  onProgress?: (line: string) => void;
  /** Ends a fetch. */
  signal?: AbortSignal;
}

export interface ClusterMember {
  /** Where it listens for the other servers. */
  routePort: number;
  peerPorts: readonly number[];
  /** Whether the others may be reached at these ports only, so that a proxy can cut the links. */
  isProxied?: boolean;
  /** The password of connections between the servers. */
  password: string;
}

/** Starts a NATS server with JetStream on 127.0.0.1, and fetches one if needed. Throws `StartError`. */
export async function startNats(options: NatsOptions): Promise<Server> {
  return startServer(await natsProgram(options), join(options.dataDir, 'nats.log'));
}

/** Finds the server, writes its configuration and returns its program. */
export async function natsProgram(options: NatsOptions): Promise<ServerProgram> {
  const { name = 'nats', args = [], env = process.env, onProgress = () => {}, signal } = options;
  const dataDir = resolve(options.dataDir);
  await makePrivateFolder(dataDir);
  const file = await findNatsServer(env, onProgress, signal);
  const port = options.port ?? (await freePort());
  const configFile = join(dataDir, 'nats.conf');
  const pidFile = join(dataDir, 'nats.pid');
  await writePrivateText(configFile, configOf({ ...options, name, dataDir, port, pidFile }));

  const program: Program = {
    name,
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
  const { passwordOf } = options;
  const userinfo = passwordOf ? `${busAdmin}:${passwordOf(busAdmin)}@` : '';
  return { program, port, url: `nats://${userinfo}127.0.0.1:${port}` };
}

function configOf(options: NatsOptions & { name: string; port: number; pidFile: string }): string {
  const { name, dataDir, port, pidFile, passwordOf, consumers, cluster } = options;
  return [
    ...(passwordOf ? [busAuthorization((user) => JSON.stringify(passwordOf(user)), consumers)] : []),
    'host: "127.0.0.1"',
    `port: ${port}`,
    `server_name: ${JSON.stringify(`parley-local-${name}`)}`,
    `pid_file: ${JSON.stringify(pidFile)}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(join(dataDir, 'streams'))}`,
    '  max_memory_store: 64MB',
    '  max_file_store: 4GB',
    '}',
    ...(cluster ? clusterLines(cluster) : []),
    '',
  ].join('\n');
}

function clusterLines({ routePort, peerPorts, isProxied, password }: ClusterMember): string[] {
  const routes = peerPorts.map((port) => `nats-route://route:${password}@127.0.0.1:${port}`);
  return [
    'cluster {',
    '  name: "parley-local"',
    `  listen: "127.0.0.1:${routePort}"`,
    `  authorization { user: route, password: ${JSON.stringify(password)} }`,
    `  routes: ${JSON.stringify(routes)}`,
    // Servers tell each other their addresses, and would connect past the proxies.
    ...(isProxied ? ['  advertise: "127.0.0.1:1"'] : []),
    '}',
  ];
}
