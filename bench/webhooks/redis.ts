import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { delimiter, join } from 'node:path';
import { dieWithParent } from '@parley/local/processes/child';
import { unpackPackage } from '@parley/local/processes/distribution-package';
import { isExecutable, sharedBinDir } from '@parley/local/processes/nats-server';
import { freePort } from '@parley/local/ports';
import { type Server, startServer } from '@parley/local/processes/program';
import { temporaryFolder } from '@parley/testing/setup/folders';

const fetchMsMax = 120_000;

/** Starts a Redis that appends to a file and syncs it every second. Throws when none is found or fetched. */
export async function startRedis(
  show: (line: string) => void,
): Promise<Pick<Server, 'url' | 'pid'> & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const { file, env } = await findRedis(show);
  const folder = started.use(await temporaryFolder('bench-redis'));
  const port = await freePort();
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder.path];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''];
  const program = {
    name: 'redis',
    command: async () => ({ ...(await dieWithParent({ file, args: [...args, ...durable] }, 'TERM')), env }),
    isReady: () => answersPing(port),
    stopSignal: 'SIGTERM' as const,
    alarmIn: () => undefined,
  };
  const url = `redis://127.0.0.1:${port}`;
  const server = started.use(await startServer({ program, url, port }, join(folder.path, 'redis.log')));
  const stack = started.move();
  return { url, pid: server.pid, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

interface Found {
  file: string;
  env: NodeJS.ProcessEnv;
}

/** Finds a `redis-server` in the `PATH`, else unpacks the distribution's package (Debian, Ubuntu) into the cache. */
async function findRedis(show: (line: string) => void): Promise<Found> {
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']) {
    const file = join(folder, 'redis-server');
    if (await isExecutable(file)) return { file, env: process.env };
  }
  const home = join(sharedBinDir, 'redis');
  const file = join(home, 'files/usr/bin/redis-server');
  if (!(await isExecutable(file))) {
    show("fetching redis-server: the distribution's package");
    await fetchPackage(home);
  }
  const libraries = (await readdir(join(home, 'files/usr/lib')))
    .filter((name) => name.includes('-linux-gnu'))
    .map((name) => join(home, 'files/usr/lib', name));
  return { file, env: { ...process.env, LD_LIBRARY_PATH: libraries.join(delimiter) } };
}

async function fetchPackage(home: string): Promise<void> {
  await mkdir(sharedBinDir, { recursive: true });
  const workDir = await mkdtemp(join(sharedBinDir, 'redis-fetch-'));
  try {
    await unpackPackage('redis-server', workDir, fetchMsMax);
    await rm(home, { recursive: true, force: true });
    await rename(workDir, home);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    const settle = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('error', () => settle(false)).once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (bytes) => settle(bytes.toString('latin1').startsWith('+PONG')));
  });
}
