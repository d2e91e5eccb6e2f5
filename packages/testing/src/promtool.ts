import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unpackPackage } from './distribution-package.ts';
import { cacheDir } from './folders.ts';

const downloadMsMax = 240_000;

/**
 * Returns the path of Prometheus' promtool: from the PATH, else from Debian's package, unpacked into the cache of the
 * checkout. Throws without both.
 */
export async function findPromtool(): Promise<string> {
  const isInstalled = await promisify(execFile)('promtool', ['--version']).catch(() => undefined);
  if (isInstalled) return 'promtool';
  const binDir = join(cacheDir, 'bin');
  const program = join(binDir, 'promtool');
  if (existsSync(program)) return program;
  await mkdir(binDir, { recursive: true });
  const workDir = await mkdtemp(join(binDir, 'promtool-fetch-'));
  try {
    await unpackPackage('prometheus', workDir, downloadMsMax);
    await rename(join(workDir, 'files/usr/bin/promtool'), program);
    return program;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}
