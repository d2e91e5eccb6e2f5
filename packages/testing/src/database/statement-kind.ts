import { parseSync } from 'libpg-query';

/** Functions that change, lock or signal something. */
const effects =
  /^(?:pg_(?:try_)?advisory_|pg_cancel_|pg_terminate_|set_config|nextval|(?:make|drop|raise|hold|try_to_hold)_)/;

/**
 * Returns whether a statement is a read: it changes nothing and takes no locks. Outside of transactions, such a one
 * runs on `reads` or `scans` (docs/decisions/0022-a-share-per-workspace.md). Needs `loadModule` of libpg-query.
 */
export function isRead(text: string): boolean {
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
