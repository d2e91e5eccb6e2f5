import { basename, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BuildOptions, Plugin } from 'esbuild';
import { bundling, clientSource, widgetRoot, withPreact } from './bundling.ts';
import { type Manifest, type ManifestFile, manifestFile, readManifest, widgetDist } from './files.ts';
import { markOf, put, removeOthers } from './output.ts';

const hashed = '[name]-[hash]';

export function isWidgetBuilt(): boolean {
  return readManifest(widgetDist)?.mark === sourceMark();
}

/**
 * Builds the widget's files unless they are built from the current sources. Returns them. Safe to run concurrently.
 */
export async function buildWidget({ force = false } = {}): Promise<ManifestFile[]> {
  const mark = sourceMark();
  const former = readManifest(widgetDist);
  if (!force && former?.mark === mark) return former.files;

  const { build } = await import('esbuild');
  const run = async (options: BuildOptions): Promise<ManifestFile[]> => {
    const { outputFiles = [] } = await build({ ...bundling, outdir: widgetDist, ...options });
    return outputFiles.map(({ path, contents }) => write(relative(widgetDist, path), contents));
  };
  // Screens load it beside themselves. It has a renderer of its own, so one file serves both screens.
  const fields = await run({
    ...withPreact,
    entryPoints: { fields: 'src/ui/questions/loaded-fields.ts' },
    entryNames: `chunks/${hashed}`,
    format: 'esm',
  });
  const fieldsChunk = fields[0]?.path ?? '';
  const [ui, landing, client] = await Promise.all([
    run({
      ...withPreact,
      entryPoints: { ui: 'src/popup.ts' },
      entryNames: `chunks/${hashed}`,
      format: 'esm',
      ...loadingFields(`./${basename(fieldsChunk)}`),
    }),
    run({
      ...withPreact,
      entryPoints: { landing: 'src/landing.ts' },
      entryNames: hashed,
      format: 'esm',
      ...loadingFields(`./${fieldsChunk}`),
    }),
    run({ entryPoints: { client: 'src/client.ts' }, format: 'esm' }),
  ]);
  const uiChunk = ui.find(({ name }) => name === 'ui.js')?.path;
  const loader = await run({
    entryPoints: { loader: 'src/loader.ts' },
    format: 'iife',
    define: { uiChunk: JSON.stringify(uiChunk) },
  });
  const files = [...loader, ...ui, ...fields, ...landing, ...client];
  const manifest: Manifest = { mark, files };
  put(widgetDist, manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);
  removeOthers(widgetDist, [manifestFile, ...files.map(({ path }) => path)]);
  return files;
}

/** Leaves the fields of rare types in a file of their own, at this address. */
function loadingFields(path: string): BuildOptions {
  const plugin: Plugin = {
    name: 'loading-fields',
    setup: ({ onResolve }) => {
      onResolve({ filter: /\/loaded-fields\.ts$/ }, ({ kind }) =>
        kind === 'dynamic-import' ? { path, external: true } : undefined,
      );
    },
  };
  return {
    plugins: [...(bundling.plugins ?? []), plugin],
    define: { ...bundling.define, fieldsChunk: JSON.stringify(path) },
  };
}

function write(path: string, contents: Uint8Array): ManifestFile {
  put(widgetDist, path, contents);
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

/** Returns a digest of everything that the files are made of. */
function sourceMark(): string {
  // The manifests contain the versions of esbuild and preact.
  const own = ['package.json', 'browsers.ts', 'build-widget.ts', 'bundling.ts', 'output.ts'];
  return markOf(
    [join(widgetRoot, 'src'), clientSource],
    [join(widgetRoot, 'package.json'), ...own.map((name) => join(import.meta.dirname, name))],
  );
}
