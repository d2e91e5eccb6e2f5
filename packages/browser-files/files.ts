import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A file as the build notes it. */
export interface ManifestFile {
  /** What it is called without the hash: `loader.js`, `ui.js`, `landing.js`, `client.js`. */
  name: string;
  /** Below the folder that the loader is in: the loader looks there for its chunk. */
  path: string;
  /** For `Content-Type`. */
  type: string;
  /** The path has a hash of the content in it: it may be kept for ever. The others are to be asked about each time. */
  isImmutable: boolean;
  gzipBytes: number;
}

/** What the build writes beside its files. */
export interface Manifest {
  /** Of the sources that the files are made of. */
  mark: string;
  files: ManifestFile[];
}

/** A file to serve. */
export type WidgetFile = Omit<ManifestFile, 'gzipBytes'> & { content: Buffer };

/** Where the build puts its files. */
export const dist: string = resolve(import.meta.dirname, 'dist');

/** The name of the manifest in there. */
export const manifestFile = 'manifest.json';

/** Undefined when nothing was built. */
export function readManifest(): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(dist, manifestFile), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** Every file that browsers load, read once. Throws an error that says what to do when they were not built. */
export function widgetFiles(): WidgetFile[] {
  const manifest = readManifest();
  if (!manifest) throw new Error('the browser files are not built: run node packages/browser-files/build.ts');
  return manifest.files.map(({ name, path, type, isImmutable }) => {
    return { name, path, type, isImmutable, content: readFileSync(join(dist, path)) };
  });
}
