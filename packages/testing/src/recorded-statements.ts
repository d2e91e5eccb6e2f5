import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadModule } from 'libpg-query';
import { temporaryFolder } from './folders.ts';
import { requireScope } from './statement-scope.ts';

/** The statements of processes that run with `nodeOptions` as `NODE_OPTIONS`, and of their children. */
interface RecordedStatements extends AsyncDisposable {
  nodeOptions: string;
  /**
   * Returns each recorded statement that is not restricted to a workspace, with the reason. Statements on connections whose
   * `application_name` is `migration` or `test`, and those of an administrator, are not recorded.
   */
  findUnscoped(): Promise<string[]>;
}

/** Records the statements of services in a temporary folder (docs/decisions/0013-scoped-statements.md). */
export async function recordStatements(): Promise<RecordedStatements> {
  const folder = await temporaryFolder('statements');
  const preload = pathToFileURL(join(import.meta.dirname, 'record-statements.mjs'));
  preload.searchParams.set('folder', folder.path);
  return {
    nodeOptions: `${process.env['NODE_OPTIONS'] ?? ''} --import=${preload.href}`.trim(),
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
