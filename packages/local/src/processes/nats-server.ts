import { createHash } from 'node:crypto';
import { access, chmod, constants, mkdir, mkdtempDisposable, rename, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { run, unpackPackage } from './distribution-package.ts';
import { StartError } from './program.ts';

/** The folder with the fetched servers of a checkout, shared by its runs. */
export const sharedBinDir = resolve(import.meta.dirname, '../../../../node_modules/.cache/parley/bin');

/** The official release. */
const release = {
  version: '2.12.8',
  // SHA-256 of nats-server-v<version>-<platform>.tar.gz.
  sums: {
    'darwin-amd64': '8880e133f45c6974468d351425db9a73ffe3b569850cad2bfbaa349d80939a7f',
    'darwin-arm64': '4556a7f617eb532587790344629a6a95261099b236524b764d1f10d6c14aba1a',
    'linux-amd64': '6abc397684567e133649688a13564ad6de786d64e88253fbb4f6a3aa8c2fca63',
    'linux-arm64': '7d20e93c23924cdd5cb6ec51c92f9478c97f9c8a0dbe049dd7ab88af115d622c',
  } as Record<string, string>,
};

const downloadMsMax = 45_000;
const packageMsMax = 60_000;

/**
 * Returns the path of a `nats-server`: `NATS_SERVER_BIN`, one on the `PATH` or in `sharedBinDir`, else one that is
 * fetched into `sharedBinDir`. Nothing is installed. Throws `StartError` when there is none. The signal ends a fetch.
 */
export async function findNatsServer(
  env: NodeJS.ProcessEnv,
  onProgress: (line: string) => void,
  signal?: AbortSignal,
): Promise<string> {
  const named = env['NATS_SERVER_BIN'];
  if (named) {
    if (await isExecutable(named)) return resolve(named);
    throw new StartError(`NATS_SERVER_BIN is ${named}, which is not an executable file`);
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  // Debian installs it in a folder that is not in an ordinary user's PATH.
  for (const folder of new Set([...folders, '/usr/local/sbin', '/usr/sbin', sharedBinDir])) {
    const path = join(folder, 'nats-server');
    if (await isExecutable(path)) return path;
  }
  onProgress("fetching nats-server: the official release, else the distribution's package");
  return fetchNatsServer(sharedBinDir, signal);
}

/**
 * Fetches a `nats-server` into the folder and returns its path: the pinned official release, else the distribution's
 * package, unpacked. Throws `StartError` with the reason of each failure, or the reason of the signal, which ends the
 * fetch. Leaves no temporary files. Several fetches into one folder may run at once.
 */
export async function fetchNatsServer(
  binDir: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  signal.throwIfAborted();
  await mkdir(binDir, { recursive: true });
  // The umask of a local run applies to `mkdir`, but other users may share the program.
  await chmod(binDir, 0o755);
  await using workDir = await mkdtempDisposable(join(binDir, 'fetch-'));
  const failures: string[] = [];
  for (const [what, fetchInto] of [
    [`nats-server ${release.version} (official release)`, fetchRelease],
    ["the distribution's package of nats-server", fetchPackage],
  ] as const) {
    try {
      const fetched = await fetchInto(workDir.path, signal);
      await run(fetched, ['--version'], { signal });
      const path = join(binDir, 'nats-server');
      await rename(fetched, path);
      return path;
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${what}: ${firstLine(error)}`);
    }
  }
  const advice = 'install nats-server or set NATS_SERVER_BIN or NATS_URL';
  throw new StartError(`there is no NATS server; ${advice} (${failures.join('; ')})`);
}

async function fetchRelease(workDir: string, signal: AbortSignal): Promise<string> {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const sum = release.sums[platform];
  if (!sum) throw new Error(`no release for ${platform}`);
  const name = `nats-server-v${release.version}-${platform}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${release.version}/${name}.tar.gz`;

  const archive = await download(url, AbortSignal.any([signal, AbortSignal.timeout(downloadMsMax)]));
  const actual = createHash('sha256').update(archive).digest('hex');
  if (actual !== sum) throw new Error(`its SHA-256 is ${actual}, expected ${sum}`);
  await writeFile(join(workDir, 'release.tar.gz'), archive);
  await run('tar', ['-xzf', join(workDir, 'release.tar.gz'), '-C', workDir], { signal });
  const path = join(workDir, name, 'nats-server');
  await chmod(path, 0o755);
  return path;
}

/** Downloads through the proxies of the environment. */
async function download(url: string, signal: AbortSignal): Promise<Buffer> {
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent();
  try {
    const response = await fetch(url, { signal, dispatcher });
    if (!response.ok) throw new Error(`HTTP ${response.status} from ${url}`);
    return Buffer.from(await response.arrayBuffer());
  } finally {
    await dispatcher.destroy();
  }
}

async function fetchPackage(workDir: string, signal: AbortSignal): Promise<string> {
  await unpackPackage('nats-server', workDir, packageMsMax, signal);
  return join(workDir, 'files/usr/sbin/nats-server');
}

function firstLine(error: unknown): string {
  const { cause, message, stderr } = error as Error & { stderr?: string };
  const text = stderr?.trim() || (cause instanceof Error ? `${message}: ${cause.message}` : message);
  return text.split('\n')[0] ?? '';
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
