import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A file in the manifest. */
export interface ManifestFile {
  /** Its name without the hash: `loader.js`, `ui.js`, `landing.js`, `client.js`. */
  name: string;
  /** Relative to the folder of the loader, which loads its chunk from there. */
  path: string;
  /** The value of `Content-Type`. */
  type: string;
  /**
   * The path contains a hash of the content, so browsers may cache it for ever. They revalidate the others
   * each time.
   */
  isImmutable: boolean;
  gzipBytes: number;
}

/** The manifest that the build writes beside its files. */
export interface Manifest {
  /** The digest of the sources. */
  mark: string;
  files: ManifestFile[];
}

/** A file to serve. */
export type WidgetFile = Omit<ManifestFile, 'gzipBytes'> & { content: Buffer };

/** The output folder of the build. */
export const dist: string = resolve(import.meta.dirname, 'dist');

/** The name of the manifest in that folder. */
export const manifestFile = 'manifest.json';

/** Undefined when nothing is built. */
export function readManifest(): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(dist, manifestFile), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** Reads every browser file once. Throws an error with the build command when they are not built. */
export function widgetFiles(): WidgetFile[] {
  const manifest = readManifest();
  if (!manifest) throw new Error('the browser files are not built: run node packages/browser-files/build.ts');
  return manifest.files.map(({ name, path, type, isImmutable }) => {
    return { name, path, type, isImmutable, content: readFileSync(join(dist, path)) };
  });
}
