import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Kept between test runs, such as a fetched NATS server. */
export const cacheDir: string = resolve(import.meta.dirname, '../../../node_modules/.cache/parley');

/** Creates a folder that its disposal removes. */
export async function temporaryFolder(name: string): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), `parley-${name}-`));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
