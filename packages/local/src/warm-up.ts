import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { serviceNames } from './service-names.ts';
import { nodeFlags, serviceEntry } from './service-program.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

/**
 * Fills Node's compile cache (`NODE_COMPILE_CACHE`) when code has changed, by loading all of a run apart from it. Else
 * five services would compile the same modules at the same time and keep the compiler of type stripping in memory: a
 * slower start and some 150 MB more.
 */
export async function warmUp(
  env: NodeJS.ProcessEnv,
  show: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { PATH, NODE_COMPILE_CACHE } = env;
  if (!NODE_COMPILE_CACHE) return;
  const markFile = join(NODE_COMPILE_CACHE, 'warm');
  const mark = await codeMark();
  if ((await readFile(markFile, 'utf8').catch(() => '')) === mark) return;
  show('compiling');
  const own = ['errands.ts', 'demo.ts', 'welcome.ts', 'shop.ts', 'docs-examples.ts', 'main.ts'].map((name) =>
    resolve(import.meta.dirname, name),
  );
  const loader = resolve(import.meta.dirname, 'load-all.ts');
  try {
    await run(process.execPath, [...nodeFlags, loader, ...own, ...serviceNames.map(serviceEntry)], {
      env: { PATH, NODE_COMPILE_CACHE },
      signal,
    });
    await writeFile(markFile, mark);
  } catch {
    // Code that does not load is better told of by the service that it belongs to.
  }
}

/** Another one whenever Node or its flags, a dependency or a source file is another. */
async function codeMark(): Promise<string> {
  const groups = ['packages', 'services'].map((group) => join(root, group));
  const packages = (await Promise.all(groups.map(foldersIn))).flat();
  const sources = (await Promise.all(packages.map((folder) => filesBelow(join(folder, 'src'))))).flat();
  const stats = await Promise.all(
    sources.sort().map(async (file) => `${file} ${(await stat(file)).mtimeMs}`),
  );
  const installed = await readFile(join(root, 'node_modules/.parley-installed'), 'utf8').catch(() => '');
  return createHash('sha256')
    .update([process.version, ...nodeFlags, installed, ...stats].join('\n'))
    .digest('hex');
}

async function foldersIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => join(folder, name));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
