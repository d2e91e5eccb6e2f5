import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { isExecutable, sharedBinDir } from '@parley/local/processes/nats-server';
import { type DistributionProgram, reasonOf, unpackInto } from './distribution-program.ts';

/** What a program needs beside the standard library: the packages of Debian, and the modules in them. */
const kinds = {
  sdk: {
    packages: ['python3-httpx', 'python3-setuptools', 'python3-wheel', 'mypy'],
    modules: 'httpx, mypy, setuptools, wheel',
  },
  grpc: { packages: ['python3-grpcio', 'python3-protobuf'], modules: 'grpc, google.protobuf' },
};

/**
 * Returns a Python of 3.9 or newer with what a kind of program needs: `PYTHON_BIN`, the `PATH`, else the distribution's
 * packages, unpacked into the cache of the checkout. Throws if there is none.
 */
export async function findPython(kind: keyof typeof kinds = 'sdk'): Promise<DistributionProgram> {
  const { packages, modules } = kinds[kind];
  const run = async ({ path, env }: DistributionProgram): Promise<void> => {
    const check = `import sys, ${modules}\nassert sys.version_info >= (3, 9)`;
    await promisify(execFile)(path, ['-c', check], { env: { ...process.env, ...env } });
  };
  const isComplete = async (python: DistributionProgram): Promise<boolean> =>
    run(python).then(
      () => true,
      () => false,
    );
  const named = process.env['PYTHON_BIN'];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const installed = [...folders.map((folder) => join(folder, 'python3')), '/usr/bin/python3'];
  for (const path of named ? [named] : installed) {
    const found = { path, env: writesNothing };
    if ((await isExecutable(path)) && (await isComplete(found))) return found;
  }
  if (named) throw new Error(`PYTHON_BIN is ${named}, which is no Python 3.9 with ${modules}`);
  const kept = join(sharedBinDir, `python-${kind}`);
  try {
    if (!(await isComplete(await unpacked(kept)))) await unpackInto(kept, ['python3', ...packages]);
    const found = await unpacked(kept);
    await run(found);
    return found;
  } catch (cause) {
    const advice = `install ${packages.join(', ')} or set PYTHON_BIN`;
    throw new Error(`no Python is available; ${advice} (${reasonOf(cause)})`, { cause });
  }
}

// The modules of the SDK must not be written beside their sources.
const writesNothing = { PYTHONDONTWRITEBYTECODE: '1' };

/** The fetched packages have no interpreter if the system has one. */
async function unpacked(folder: string): Promise<DistributionProgram> {
  const files = join(folder, 'files');
  const libraries = globSync('{usr/,}lib/*-linux-gnu*', { cwd: files }).map((path) => join(files, path));
  const own = join(files, 'usr/bin/python3');
  const isOwn = await isExecutable(own);
  // httpx does not start without a certificate. The installation of the package would collect them in `/etc`.
  const [authority] = globSync('usr/share/ca-certificates/mozilla/*.crt', { cwd: files });
  return {
    path: isOwn ? own : '/usr/bin/python3',
    env: {
      ...writesNothing,
      ...(isOwn && { PYTHONHOME: join(files, 'usr') }),
      ...(authority !== undefined && { SSL_CERT_FILE: join(files, authority) }),
      PYTHONPATH: join(files, 'usr/lib/python3/dist-packages'),
      LD_LIBRARY_PATH: libraries.join(delimiter),
    },
  };
}
