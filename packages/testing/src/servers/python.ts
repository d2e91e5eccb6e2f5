import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { isExecutable, sharedBinDir } from '@parley/local/processes/nats-server';
import { type DistributionProgram, reasonOf, unpackInto } from './distribution-program.ts';

const packages = ['python3', 'python3-httpx', 'python3-setuptools', 'python3-wheel', 'mypy'];
const check = `import sys, httpx, mypy, setuptools, wheel\nassert sys.version_info >= (3, 9)`;

/**
 * Returns a Python of 3.9 or newer with httpx, mypy and setuptools: `PYTHON_BIN`, the `PATH`, else the distribution's
 * packages, unpacked into the cache of the checkout. Throws if there is none.
 */
export async function findPython(): Promise<DistributionProgram> {
  const named = process.env['PYTHON_BIN'];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const installed = [...folders.map((folder) => join(folder, 'python3')), '/usr/bin/python3'];
  for (const path of named ? [named] : installed) {
    const found = { path, env: writesNothing };
    if ((await isExecutable(path)) && (await isComplete(found))) return found;
  }
  if (named)
    throw new Error(`PYTHON_BIN is ${named}, which is no Python 3.9 with ${packages.slice(1).join(', ')}`);
  const kept = join(sharedBinDir, 'python');
  try {
    if (!(await isComplete(await unpacked(kept)))) await unpackInto(kept, packages);
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
  return {
    path: isOwn ? own : '/usr/bin/python3',
    env: {
      ...writesNothing,
      ...(isOwn && { PYTHONHOME: join(files, 'usr') }),
      PYTHONPATH: join(files, 'usr/lib/python3/dist-packages'),
      LD_LIBRARY_PATH: libraries.join(delimiter),
    },
  };
}

async function isComplete(python: DistributionProgram): Promise<boolean> {
  return run(python).then(
    () => true,
    () => false,
  );
}

async function run({ path, env }: DistributionProgram): Promise<void> {
  await promisify(execFile)(path, ['-c', check], { env: { ...process.env, ...env } });
}
