import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface ManifestFile {
  /** Its name without the hash, such as `loader.js`, `ui.js`, `landing.js`, `client.js`, `main.js`. */
  name: string;
  /** Relative to the folder of its files: chunks load each other from there. */
  path: string;
  /** The value of `Content-Type`. */
  type: string;
  /**
   * The path contains a hash of the content, so browsers may cache it for ever. They revalidate the others
   * each time.
   */
  isImmutable: boolean;
  /** The page loads it at once. Other files of the console are loaded when they are needed. */
  isFirst?: true;
  gzipBytes: number;
}

export interface Manifest {
  mark: string;
  files: ManifestFile[];
}

export type BrowserFile = Omit<ManifestFile, 'gzipBytes'> & { content: Buffer };

const dist = resolve(import.meta.dirname, 'dist');

/** The folder of the files of the browser SDK and the landing page. */
export const widgetDist: string = join(dist, 'widget');

export const consoleDist: string = join(dist, 'console');

export const manifestFile = 'manifest.json';

/** Undefined when nothing is built. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, manifestFile), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** Reads every file of a folder once. Throws an error with the build command when they are not built. */
export function browserFiles(folder: string): BrowserFile[] {
  const manifest = readManifest(folder);
  if (!manifest) throw new Error('the browser files are not built: run node packages/browser-files/build.ts');
  return manifest.files.map((file) => ({ ...file, content: readFileSync(join(folder, file.path)) }));
}
