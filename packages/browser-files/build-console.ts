import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { InlineConfig, Rolldown } from 'vite';
import { oldestBrowsers } from './browsers.ts';
import { clientSource } from './bundling.ts';
import { consoleDist, type Manifest, type ManifestFile, manifestFile, readManifest } from './files.ts';
import { markOf, put, removeOthers } from './output.ts';

const consoleRoot = resolve(import.meta.dirname, '../console');

/** The sources of the packages that are bundled with it: the validator of bots, imports, reports, and limits. */
const sharedSources = ['bot', 'bot-import', 'bot-translations', 'bulk', 'contracts', 'report', 'runtime'].map(
  (name) => resolve(import.meta.dirname, '..', name, 'src'),
);

/** The colours of brands, which the portal shares with the widget. */
const contrastFile = resolve(import.meta.dirname, '../widget/src/ui/look/contrast.ts');

const tsconfigFile = join(consoleRoot, 'tsconfig.build.json');

type Output = Rolldown.RolldownOutput['output'][number];
type Chunk = Rolldown.OutputChunk;

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

export function isConsoleBuilt(): boolean {
  return readManifest(consoleDist)?.mark === sourceMark();
}

/** Builds the console unless it is built from the current sources. Returns its files. Safe to run concurrently. */
export async function buildConsole({ force = false } = {}): Promise<ManifestFile[]> {
  const mark = sourceMark();
  const former = readManifest(consoleDist);
  if (!force && former?.mark === mark) return former.files;

  const { build } = await import('vite');
  const built = (await build(await viteConfig())) as Rolldown.RolldownOutput;
  const first = firstChunks(built.output);
  const files = built.output.map((output) => write(output, first));
  const manifest: Manifest = { mark, files };
  put(consoleDist, manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);
  removeOthers(consoleDist, [manifestFile, ...files.map(({ path }) => path)]);
  return files;
}

async function viteConfig(): Promise<InlineConfig> {
  const { default: tailwind } = await import('@tailwindcss/vite');
  const { defaultClientConditions } = await import('vite');
  return {
    root: consoleRoot,
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    mode: 'production',
    // Chunks find each other by relative addresses, below any prefix of the gateway.
    base: './',
    publicDir: false,
    plugins: [tailwind()],
    // Also in a run of tests, whose `NODE_ENV` would choose the libraries for development: they are many times as slow.
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { development: false } },
    resolve: {
      conditions: [
        '@parley/source',
        'production',
        ...defaultClientConditions.filter((name) => name !== 'development|production'),
      ],
    },
    // The image that builds has no tsconfig.json of the repository.
    tsconfig: tsconfigFile,
    build: {
      write: false,
      target: Object.entries(oldestBrowsers).map(([name, version]) => name + version),
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        // Libraries mark what runs in browsers, which is everything here.
        onLog: (level, log, report) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
        },
        input: {
          main: join(consoleRoot, 'src/main.tsx'),
          preview: join(consoleRoot, 'src/preview/main.ts'),
        },
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
        },
      },
    },
  };
}

/** Returns the names of the chunks that the console's entry imports, and of the entry's chunk. */
function firstChunks(output: Output[]): Set<string> {
  const chunks = new Map(
    output.filter((one): one is Chunk => one.type === 'chunk').map((one) => [one.fileName, one]),
  );
  const entries = Array.from(chunks.values()).filter(({ isEntry, name }) => isEntry && name === 'main');
  const found = new Set(entries.map(({ fileName }) => fileName));
  for (const name of found) for (const imported of chunks.get(name)?.imports ?? []) found.add(imported);
  return found;
}

function write(output: Output, first: Set<string>): ManifestFile {
  const path = output.fileName;
  const contents = Buffer.from(output.type === 'chunk' ? output.code : output.source);
  const [, stem = '', extension = ''] = /^(.*)-[\w-]{8}\.(\w+)$/.exec(path) ?? [];
  const type = types[extension];
  if (type === undefined) throw new Error(`the console has a file of another kind: ${path}`);
  put(consoleDist, path, contents);
  return {
    name: `${stem}.${extension}`,
    path,
    type,
    isImmutable: true,
    ...((first.has(path) || extension === 'css') && { isFirst: true as const }),
    gzipBytes: gzipSync(contents, { level: 9 }).length,
  };
}

/** Returns a digest of everything that the files are made of. */
function sourceMark(): string {
  // The manifests contain the versions of the libraries.
  const own = ['package.json', 'browsers.ts', 'build-console.ts', 'output.ts'];
  return markOf(
    [join(consoleRoot, 'src'), clientSource, ...sharedSources],
    [
      join(consoleRoot, 'package.json'),
      tsconfigFile,
      contrastFile,
      ...own.map((name) => join(import.meta.dirname, name)),
    ],
  );
}
