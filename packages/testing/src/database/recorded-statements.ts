import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadModule, parseSync } from 'libpg-query';
import { temporaryFolder } from '../setup/folders.ts';
import { requireWorkspace } from './statement-workspace.ts';

/** The statements of processes that have `nodeOptions` in `NODE_OPTIONS`. */
interface RecordedStatements extends AsyncDisposable {
  nodeOptions: string;
  /**
   * Returns each recorded statement that is not restricted to a workspace, with the reason. Only statements of
   * services' roles are recorded, and not on connections whose `application_name` is `migration` or `test`.
   */
  findUnrestricted(): Promise<string[]>;
  /**
   * Returns each of these statements that is a read, but had a connection for writes outside of a transaction.
   * Statements of tests are left out.
   */
  findReadsAmongWrites(): Promise<string[]>;
}

/** A line of record-statements.mjs: a statement that was sent, or that had a connection for writes. */
interface Recorded {
  kind: 'sent' | 'write';
  text: string;
}

/** Functions that change, lock or signal something. */
const effects =
  /^(?:pg_(?:try_)?advisory_|pg_cancel_|pg_terminate_|set_config|nextval|(?:make|drop|raise|hold|try_to_hold)_)/;

/**
 * Returns whether a statement is a read: it changes nothing and takes no locks. Outside of transactions, such a one
 * runs on `reads` or `scans` (docs/decisions/0022-a-share-per-workspace.md). Needs `loadModule` of libpg-query.
 */
function isRead(text: string): boolean {
  const { stmts = [] } = parseSync(text);
  return stmts.every(({ stmt }) => stmt !== undefined && 'SelectStmt' in stmt && !hasEffect(stmt));
}

function hasEffect(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return Object.entries(part).some(([key, value]) => {
    if (/^(?:Insert|Update|Delete|Merge)Stmt$/.test(key) || key === 'lockingClause') return true;
    if (key === 'FuncCall' && effects.test(nameOf(value))) return true;
    return hasEffect(value);
  });
}

function nameOf(call: { funcname?: { String?: { sval?: string } }[] }): string {
  return call.funcname?.at(-1)?.String?.sval ?? '';
}

/** Records the statements of services in a temporary folder (docs/decisions/0013-scoped-statements.md). */
export async function recordStatements(): Promise<RecordedStatements> {
  const folder = await temporaryFolder('statements');
  const preload = new URL('./record-statements.mjs', import.meta.url);
  preload.searchParams.set('folder', folder.path);
  const textsOf = async (kind: Recorded['kind']): Promise<string[]> => {
    await loadModule();
    const files = await readdir(folder.path);
    const contents = await Promise.all(files.map((file) => readFile(join(folder.path, file), 'utf8')));
    const lines = new Set(contents.flatMap((content) => content.split('\n')).filter(Boolean));
    return [...lines]
      .map((line) => JSON.parse(line) as Recorded)
      .flatMap((one) => (one.kind === kind ? one.text : []));
  };
  return {
    nodeOptions: `--import=${preload.href}`,
    findUnrestricted: async () => (await textsOf('sent')).flatMap(findFault),
    findReadsAmongWrites: async () => {
      const sent = new Set(await textsOf('sent'));
      return (await textsOf('write')).filter((text) => sent.has(text) && isRead(text));
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function findFault(text: string): string[] {
  try {
    requireWorkspace(text);
    return [];
  } catch (error) {
    return [`${(error as Error).message}: ${text}`];
  }
}
