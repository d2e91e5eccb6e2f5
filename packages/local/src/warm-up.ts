import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { glob, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { serviceNames } from './service-names.ts';
import { nodeFlags, serviceEntry } from './service-program.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

/**
 * Fills Node's compile cache (`NODE_COMPILE_CACHE`) when code has changed, by loading all services in one process.
 * Without it five processes would compile the same modules at the same time and keep the compiler of type stripping
 * in memory: a slower start and some 150 MB more.
 */
export async function warmUp(cacheDir: string, show: (line: string) => void): Promise<void> {
  const markFile = join(cacheDir, 'warm');
  const mark = await codeMark();
  if ((await readFile(markFile, 'utf8').catch(() => '')) === mark) return;
  show('compiling the services');
  const loader = resolve(import.meta.dirname, 'load-services.ts');
  try {
    await run(process.execPath, [...nodeFlags, loader, ...serviceNames.map(serviceEntry)], {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cacheDir },
    });
    await writeFile(markFile, mark);
  } catch {
    // Code that does not load is better told of by the service that it belongs to.
  }
}

/** Another one whenever Node, a dependency or a source file is another. */
async function codeMark(): Promise<string> {
  const files: string[] = [];
  for await (const file of glob('{packages,services}/*/src/**/*.ts', { cwd: root })) files.push(file);
  const stats = await Promise.all(
    files.sort().map(async (file) => `${file} ${(await stat(join(root, file))).mtimeMs}`),
  );
  const installed = await readFile(join(root, 'node_modules/.parley-installed'), 'utf8').catch(() => '');
  return createHash('sha256')
    .update([process.version, installed, ...stats].join('\n'))
    .digest('hex');
}
