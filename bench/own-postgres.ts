import { join } from 'node:path';
import { removePostgres, startPostgres } from '@parley/local/postgres';
import type { Server } from '@parley/local/program';
import { temporaryFolder } from '@parley/testing/folders';

/** Starts an empty Postgres with full durability. Disposing ends and removes it. */
export async function startOwnPostgres(name: string): Promise<Pick<Server, 'url' | 'pid'> & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const folder = started.use(await temporaryFolder(name));
  const dataDir = join(folder.path, 'postgres');
  // Where root's Postgres has another folder, it is not removed with this one.
  started.defer(() => removePostgres(dataDir));
  const { url, pid } = started.use(await startPostgres({ dataDir, durable: true }));
  const stack = started.move();
  return { url, pid, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
