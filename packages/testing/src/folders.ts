import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What test runs keep between them, such as a fetched NATS server. */
export const cacheDir: string = resolve(import.meta.dirname, '../../../node_modules/.cache/parley');

/** A folder that is gone after use. */
export async function temporaryFolder(name: string): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), `parley-${name}-`));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
