// Builds what browsers load into `dist`: node packages/browser-files/build.ts [--force] [--help]
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BuildOptions } from 'esbuild';
import { bundling, clientSource, widgetRoot, withPreact } from './bundling.ts';
import { dist, type Manifest, type ManifestFile, manifestFile, readManifest } from './files.ts';

/** This file, which can also run as a child process. */
export const buildScript = import.meta.filename;
const usage = `usage: node packages/browser-files/build.ts [--force]

Builds the browser SDK and the landing page into packages/browser-files/dist, unless they are there
already, and prints the size of each file. --force: in any case.
`;

const hashed = '[name]-[hash]';

/** Returns whether `dist` is built from the current sources. */
export function isWidgetBuilt(): boolean {
  return readManifest()?.mark === sourceMark();
}

/** Builds `dist` unless it is built from the current sources. Returns its files. Safe to run concurrently. */
export async function buildWidget({ force = false } = {}): Promise<ManifestFile[]> {
  const mark = sourceMark();
  const former = readManifest();
  if (!force && former?.mark === mark) return former.files;

  const { build } = await import('esbuild');
  const run = async (options: BuildOptions): Promise<ManifestFile[]> => {
    const { outputFiles = [] } = await build({ ...bundling, outdir: dist, ...options });
    return outputFiles.map(({ path, contents }) => write(relative(dist, path), contents));
  };
  const [ui, landing, client] = await Promise.all([
    run({
      ...withPreact,
      entryPoints: { ui: 'src/popup.ts' },
      entryNames: `chunks/${hashed}`,
      format: 'esm',
    }),
    run({
      ...withPreact,
      entryPoints: { landing: 'src/landing.ts' },
      entryNames: hashed,
      format: 'esm',
    }),
    run({ entryPoints: { client: 'src/client.ts' }, format: 'esm' }),
  ]);
  const uiChunk = ui.find(({ name }) => name === 'ui.js')?.path;
  const loader = await run({
    entryPoints: { loader: 'src/loader.ts' },
    format: 'iife',
    define: { uiChunk: JSON.stringify(uiChunk) },
  });
  const files = [...loader, ...ui, ...landing, ...client];
  const manifest: Manifest = { mark, files };
  put(manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);
  removeOthers([manifestFile, ...files.map(({ path }) => path)]);
  return files;
}

function write(path: string, contents: Uint8Array): ManifestFile {
  put(path, contents);
  const parts = /^(.*?)(-[A-Z0-9]{8})?\.js$/.exec(basename(path));
  if (!parts) throw new Error(`esbuild has made a file of another kind: ${path}`);
  const [, stem, hash] = parts;
  return {
    name: `${stem}.js`,
    path,
    type: 'text/javascript; charset=utf-8',
    isImmutable: hash !== undefined,
    gzipBytes: gzipSync(contents, { level: 9 }).length,
  };
}

/**
 * Replaces a file atomically: a reader gets the old or the new content. All users of the checkout can read it, also if
 * a local run, whose umask keeps its data private, builds the files.
 */
function put(path: string, contents: Uint8Array | string): void {
  const target = join(dist, path);
  mkdirSync(dirname(target), { recursive: true });
  for (const folder of new Set([dist, dirname(target)])) chmodSync(folder, 0o755);
  writeFileSync(`${target}.${process.pid}`, contents);
  chmodSync(`${target}.${process.pid}`, 0o644);
  renameSync(`${target}.${process.pid}`, target);
}

/** Removes files of earlier builds, but not those that another process is writing. */
function removeOthers(paths: string[]): void {
  for (const path of filesBelow(dist)) {
    if (!paths.includes(relative(dist, path)) && !/\.\d+$/.test(path)) rmSync(path, { force: true });
  }
}

/** Returns a digest of everything that the files are made of. */
function sourceMark(): string {
  const hash = createHash('sha256');
  const folders = [join(widgetRoot, 'src'), clientSource];
  const sources = folders.flatMap(filesBelow).filter((file) => !/\.test\.tsx?$/.test(file));
  // The manifests contain the versions of esbuild and preact.
  const own = ['package.json', 'browsers.ts', 'build.ts', 'bundling.ts'].map((name) =>
    join(import.meta.dirname, name),
  );
  for (const file of [...sources, join(widgetRoot, 'package.json'), ...own]) {
    hash.update(`\0${relative(widgetRoot, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(usage);
  } else {
    for (const { path, gzipBytes } of await buildWidget({ force: args.includes('--force') })) {
      process.stdout.write(`${path.padEnd(32)} ${String(gzipBytes).padStart(6)} bytes gzip\n`);
    }
  }
}
