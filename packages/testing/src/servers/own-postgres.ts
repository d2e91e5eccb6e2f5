import { join } from 'node:path';
import { removePostgres, startPostgres } from '@parley/local/postgres/postgres';
import type { Server } from '@parley/local/processes/program';
import { temporaryFolder } from '../setup/folders.ts';

/** Starts an empty Postgres, by default one that may lose its data in a crash. Its disposal ends and removes it. */
export async function startOwnPostgres(
  name: string,
  { durable = false }: { durable?: boolean } = {},
): Promise<Pick<Server, 'url' | 'pid'> & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const folder = started.use(await temporaryFolder(name));
  const dataDir = join(folder.path, 'postgres');
  // Where root's Postgres has another folder, it is not removed with this one.
  started.defer(() => removePostgres(dataDir));
  const { url, pid } = started.use(await startPostgres({ dataDir, durable }));
  const stack = started.move();
  return { url, pid, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
