// Builds what browsers load into `dist`: node packages/widget/build.ts [--force] [--help]
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { BuildOptions, Plugin } from 'esbuild';
import { dist, type Manifest, type ManifestFile, manifestFile, readManifest } from './files.ts';

const root = import.meta.dirname;

/** This file: to be run by itself. */
export const buildScript = import.meta.filename;
const usage = `usage: node packages/widget/build.ts [--force]

Builds the browser SDK and the landing page into packages/widget/dist, unless they are there already, and prints the
size of each file. --force: in any case.
`;

/** Leaves the API's operations out that no browser calls: they would be a tenth of the loader, and grow. */
const publicOperations: Plugin = {
  name: 'public-operations',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]client[/\\]src[/\\]gen[/\\]api\.ts$/ }, async ({ path }) => {
      const { operations } = (await import(pathToFileURL(path).href)) as {
        operations: Record<string, { path: string }>;
      };
      const wanted = Object.entries(operations).filter(([, operation]) =>
        operation.path.startsWith('/public/'),
      );
      // What is not there is false, too; which calls may be repeated is asked for by nobody here (`withoutRetries`).
      const contents = JSON.stringify(Object.fromEntries(wanted), (name, value: unknown) =>
        name === 'isRepeatable' ? undefined : value || undefined,
      );
      return { contents: `export const operations = ${contents};` };
    });
  },
};

/** Leaves out what the client decides on repetitions by: the widget makes its calls with none (`retries: 0`) and repeats them itself. */
const withoutRetries: Plugin = {
  name: 'without-retries',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]client[/\\]src[/\\]retry\.ts$/ }, () => {
      const never = ['isPassing', 'hasLostAnswer', 'waitMs'].map(
        (name) => `export const ${name} = () => {};`,
      );
      return { contents: never.join('') };
    });
  },
};

/** Takes what is there for readers only out of the style sheets, which are text in modules of their own. */
const smallStyles: Plugin = {
  name: 'small-styles',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]ui[/\\]styles[/\\][\w-]+\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      return { contents: source.replaceAll(/`[^`]*`/g, smallStyle), loader: 'ts' };
    });
  },
};

function smallStyle(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(';}', '}');
}

const common: BuildOptions = {
  absWorkingDir: root,
  plugins: [publicOperations, withoutRetries, smallStyles],
  outdir: dist,
  write: false,
  bundle: true,
  minify: true,
  platform: 'browser',
  // What has AbortSignal.any.
  target: ['chrome116', 'edge116', 'firefox124', 'safari17.4'],
  // The image that builds has no tsconfig.json of the repository. Fields that are declared only are none.
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
};
const withPreact = {
  banner: { js: '/* Parley, Apache-2.0. Includes Preact, MIT, (c) 2015-present Jason Miller. */' },
};
const hashed = '[name]-[hash]';

/** Whether `dist` is that of the sources as they are. */
export function isWidgetBuilt(): boolean {
  return readManifest()?.mark === sourceMark();
}

/** Builds `dist` unless it is that of the sources as they are. Answers its files. Two at a time do no harm. */
export async function buildWidget({ force = false } = {}): Promise<ManifestFile[]> {
  const mark = sourceMark();
  const former = readManifest();
  if (!force && former?.mark === mark) return former.files;

  const { build } = await import('esbuild');
  const run = async (options: BuildOptions): Promise<ManifestFile[]> => {
    const { outputFiles = [] } = await build({ ...common, ...options });
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

/** A reader sees the file as it was or as it is, never half of it. */
function put(path: string, contents: Uint8Array | string): void {
  const target = join(dist, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.${process.pid}`, contents);
  renameSync(`${target}.${process.pid}`, target);
}

/** Removes what was built before, but not what another process is just writing. */
function removeOthers(paths: string[]): void {
  for (const path of filesBelow(dist)) {
    if (!paths.includes(relative(dist, path)) && !/\.\d+$/.test(path)) rmSync(path, { force: true });
  }
}

/** Another one whenever something is another that the files are made of. */
function sourceMark(): string {
  const hash = createHash('sha256');
  const folders = [join(root, 'src'), resolve(root, '../client/src')];
  const sources = folders.flatMap(filesBelow).filter((file) => !/\.test\.tsx?$/.test(file));
  // The versions of esbuild and preact are in the manifest of the package.
  for (const file of [...sources, join(root, 'package.json'), join(root, 'build.ts')]) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
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
