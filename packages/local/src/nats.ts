import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { dieWithParent } from './child.ts';
import { endLeftover } from './leftover.ts';
import { findNatsServer } from './nats-server.ts';
import { type OwnServer, type PlannedServer, startOwnServer } from './own-server.ts';
import { freePort } from './ports.ts';
import { makePrivateFolder, writePrivateText } from './private-file.ts';
import type { Program } from './program.ts';

interface NatsOptions {
  /** Folder for the streams; made when missing, used again when not. */
  dataDir: string;
  /** Without one: any free port. */
  port?: number;
  /** Of the user `parley`. Without one, everyone on this machine may connect. */
  password?: string;
  /** Further arguments for the server. */
  args?: string[];
  /** Where `NATS_SERVER_BIN` and `PATH` are. Without it: that of this process. */
  env?: NodeJS.ProcessEnv;
  /** Told about fetches, which can take a while. */
  onProgress?: (line: string) => void;
  /** Ends a fetch. */
  signal?: AbortSignal;
}

const user = 'parley';

/** A NATS server of our own, with JetStream. */
export type Nats = OwnServer;

/** Starts a NATS server with JetStream on 127.0.0.1, fetching one if need be. Throws `StartError`. */
export async function startNats(options: NatsOptions): Promise<Nats> {
  return startOwnServer(await natsProgram(options), join(options.dataDir, 'nats.log'));
}

/** Finds the server, writes its configuration and says how to run it. */
export async function natsProgram(options: NatsOptions): Promise<PlannedServer> {
  const dataDir = resolve(options.dataDir);
  await makePrivateFolder(dataDir);
  const file = await findNatsServer(
    options.env ?? process.env,
    options.onProgress ?? (() => {}),
    options.signal,
  );
  const port = options.port ?? (await freePort());
  const configFile = join(dataDir, 'nats.conf');
  const pidFile = join(dataDir, 'nats.pid');
  await writePrivateText(configFile, configOf(port, join(dataDir, 'streams'), pidFile, options.password));

  const program: Program = {
    name: 'nats',
    command: async () => {
      const leftover = await readFile(pidFile, 'utf8').catch(() => '');
      if (leftover) await endLeftover(Number(leftover), configFile, 'SIGTERM', 5_000);
      await rm(pidFile, { force: true });
      return dieWithParent({ file, args: ['-c', configFile, ...(options.args ?? [])] }, 'TERM');
    },
    isReady: async (pid) => {
      const written = await readFile(pidFile, 'utf8').catch(() => '');
      return written.trim() === String(pid) && (await greetsWithJetStream(port));
    },
    stopSignal: 'SIGTERM',
    // The password is in a private file: NATS' advice to hash it does not apply.
    alarmIn: (line) => /\[(?:WRN|ERR|FTL)\](?! Plaintext passwords).*/.exec(line)?.[0],
  };
  const userinfo = options.password ? `${user}:${options.password}@` : '';
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

/** The first line of the protocol is `INFO {...}`, which says whether JetStream is on. */
function greetsWithJetStream(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1').setTimeout(1_000);
    const end = (isReady: boolean) => (): void => {
      socket.destroy();
      settle(isReady);
    };
    socket.once('data', (bytes) => end(bytes.toString().includes('"jetstream":true'))());
    socket.once('error', end(false)).once('timeout', end(false)).once('close', end(false));
  });
}
