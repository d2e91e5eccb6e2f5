import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Kept between test runs, such as a fetched NATS server. */
export const cacheDir: string = resolve(import.meta.dirname, '../../../../node_modules/.cache/parley');

/** Creates a folder that its disposal removes. */
export function temporaryFolder(name: string): Promise<{ path: string } & AsyncDisposable> {
  return mkdtempDisposable(join(tmpdir(), `parley-${name}-`));
}
