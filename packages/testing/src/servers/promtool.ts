import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtempDisposable, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unpackPackage } from '@parley/local/processes/distribution-package';
import { sharedBinDir } from '@parley/local/processes/nats-server';

const downloadMsMax = 240_000;

/**
 * Returns the path of Prometheus' promtool: from the PATH, else from Debian's package, unpacked into the cache of the
 * checkout. Throws without both.
 */
export async function findPromtool(): Promise<string> {
  const isInstalled = await promisify(execFile)('promtool', ['--version']).catch(() => undefined);
  if (isInstalled) return 'promtool';
  const program = join(sharedBinDir, 'promtool');
  if (existsSync(program)) return program;
  await mkdir(sharedBinDir, { recursive: true });
  await using workDir = await mkdtempDisposable(join(sharedBinDir, 'promtool-fetch-'));
  await unpackPackage('prometheus', workDir.path, downloadMsMax);
  await rename(join(workDir.path, 'files/usr/bin/promtool'), program);
  return program;
}
