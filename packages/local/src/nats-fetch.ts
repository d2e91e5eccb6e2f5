import { execFile, type ExecFileOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { setGlobalProxyFromEnv } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The official release that is fetched where there is no NATS server yet. */
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
 * Fetches a `nats-server` into the folder and answers its path: the pinned official release, else the distribution's
 * package, unpacked (nothing is installed). Sets the proxies of the environment for the whole process. Throws with what
 * went wrong with each, or the reason of the signal, which ends it; nothing half-fetched is left in the folder.
 */
export async function fetchNatsServer(binDir: string, signal: AbortSignal): Promise<string> {
  await mkdir(binDir, { recursive: true });
  const workDir = await mkdtemp(join(binDir, 'fetch-'));
  const failures: string[] = [];
  try {
    for (const [what, fetchInto] of [
      [`nats-server ${release.version} (official release)`, fromRelease],
      ["the distribution's package of nats-server", fromPackage],
    ] as const) {
      signal.throwIfAborted();
      try {
        const fetched = await fetchInto(workDir, signal);
        await run(fetched, ['--version'], { signal });
        const path = join(binDir, 'nats-server');
        await rename(fetched, path);
        return path;
      } catch (error) {
        failures.push(`${what}: ${firstLine(error)}`);
      }
    }
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  throw new Error(failures.join('; '));
}

async function fromRelease(workDir: string, signal: AbortSignal): Promise<string> {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const sum = release.sums[platform];
  if (!sum) throw new Error(`no release for ${platform}`);
  const name = `nats-server-v${release.version}-${platform}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${release.version}/${name}.tar.gz`;

  setGlobalProxyFromEnv();
  const limit = AbortSignal.timeout(downloadMsMax);
  const response = await fetch(url, { signal: AbortSignal.any([signal, limit]) });
  if (!response.ok) throw new Error(`HTTP ${response.status} from ${url}`);
  const archive = Buffer.from(await response.arrayBuffer());
  const actual = createHash('sha256').update(archive).digest('hex');
  if (actual !== sum) throw new Error(`its SHA-256 is ${actual}, expected ${sum}`);
  await writeFile(join(workDir, 'release.tar.gz'), archive);
  await run('tar', ['-xzf', join(workDir, 'release.tar.gz'), '-C', workDir], { signal });
  const path = join(workDir, name, 'nats-server');
  await chmod(path, 0o755);
  return path;
}

/** Debian, Ubuntu. The system's package lists serve if there are any; else fresh ones are kept in the work folder. */
async function fromPackage(workDir: string, signal: AbortSignal): Promise<string> {
  const lists = join(workDir, 'lists');
  const cache = join(workDir, 'cache');
  const isOurs = [
    '-o',
    `Dir::State::Lists=${lists}`,
    '-o',
    `Dir::Cache=${cache}`,
    '-o',
    'APT::Sandbox::User=root',
  ];
  const options = { cwd: workDir, timeout: packageMsMax, signal };
  try {
    await run('apt-get', ['-qq', ...isOurs.slice(4), 'download', 'nats-server'], options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('there is no apt-get', { cause: error });
    signal.throwIfAborted();
    await mkdir(join(lists, 'partial'), { recursive: true });
    await mkdir(join(cache, 'archives/partial'), { recursive: true });
    // One source that does not answer makes the update fail, though another may have the package.
    await run('apt-get', ['-qq', ...isOurs, 'update'], options).catch(() => {});
    await run('apt-get', ['-qq', ...isOurs, 'download', 'nats-server'], options);
  }
  const deb = (await readdir(workDir)).find((file) => file.endsWith('.deb'));
  if (!deb) throw new Error('apt-get fetched nothing');
  await run('dpkg-deb', ['-x', deb, 'package'], options);
  return join(workDir, 'package/usr/sbin/nats-server');
}

/** Runs a program. One that is ended early is gone when this throws: it writes into no folder that is being removed. */
async function run(file: string, args: string[], options: ExecFileOptions): Promise<void> {
  const running = execute(file, args, options);
  const { child } = running;
  try {
    await running;
  } finally {
    const isThere = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    if (isThere) await once(child, 'exit');
  }
}

function firstLine(error: unknown): string {
  const { cause, message, stderr } = error as Error & { stderr?: string };
  const text = stderr?.trim() || (cause instanceof Error ? `${message}: ${cause.message}` : message);
  return text.split('\n')[0] ?? '';
}
