import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadModule } from 'libpg-query';
import { temporaryFolder } from '../setup/folders.ts';
import { requireScope } from './statement-scope.ts';

/** The statements of processes that have `nodeOptions` in `NODE_OPTIONS`. */
interface RecordedStatements extends AsyncDisposable {
  nodeOptions: string;
  /**
   * Returns each recorded statement that is not restricted to a workspace, with the reason. Only statements of
   * services' roles are recorded, and not on connections whose `application_name` is `migration` or `test`.
   */
  findUnscoped(): Promise<string[]>;
}

/** Records the statements of services in a temporary folder (docs/decisions/0013-scoped-statements.md). */
export async function recordStatements(): Promise<RecordedStatements> {
  const folder = await temporaryFolder('statements');
  const preload = new URL('./record-statements.mjs', import.meta.url);
  preload.searchParams.set('folder', folder.path);
  return {
    nodeOptions: `--import=${preload.href}`,
    findUnscoped: async () => {
      const files = await readdir(folder.path);
      const contents = await Promise.all(files.map((file) => readFile(join(folder.path, file), 'utf8')));
      const lines = contents.flatMap((content) => content.split('\n')).filter(Boolean);
      await loadModule();
      return [...new Set(lines)].flatMap((line) => findFault(JSON.parse(line) as string));
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function findFault(text: string): string[] {
  try {
    requireScope(text);
    return [];
  } catch (error) {
    return [`${(error as Error).message}: ${text}`];
  }
}
