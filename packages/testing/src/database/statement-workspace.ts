import {
  type A_Expr,
  type DeleteStmt,
  type InsertStmt,
  type Node,
  parseSync,
  type RangeVar,
  type SelectStmt,
  scanSync,
  type UpdateStmt,
  type WithClause,
} from 'libpg-query';

/** A table or something else with rows. */
interface Source {
  alias: string;
  /** Null for a CTE, a function or a subquery: its rows are parameters, or come from tables that are checked inside. */
  table: string | null;
}

/** A condition that all rows of the `sources` meet. */
interface Condition {
  expression: Node | undefined;
  sources: readonly Source[];
}

/** What a query can refer to besides its own sources: CTEs by name, sources of enclosing queries (nearest first). */
interface Enclosing {
  ctes: ReadonlySet<string>;
  outer: readonly Source[];
}

type Fields = SelectStmt & InsertStmt & UpdateStmt & DeleteStmt;

const queryKinds = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'];

/**
 * Throws unless the statement is restricted to workspaces that are its parameters, and for what it cannot judge
 * (docs/decisions/0013-scoped-statements.md). Accepts commands of transactions, and statements that are marked with
 * `acrossWorkspaces`. Needs `loadModule` of libpg-query.
 */
export function requireWorkspace(text: string): void {
  const isMarked = scanSync(text).tokens.some(
    (token) => token.tokenName === 'C_COMMENT' && token.text.startsWith('/* across workspaces: '),
  );
  if (isMarked) return;
  const { stmts = [] } = parseSync(text);
  const [only] = stmts;
  if (!only?.stmt || stmts.length > 1) throw new Error('one statement is expected');
  if (!('TransactionStmt' in only.stmt)) checkQuery(only.stmt, { ctes: new Set(), outer: [] });
}

/** Checks a statement, or a query in one. */
function checkQuery(node: Node, enclosing: Enclosing): void {
  const [[kind, value] = ['nothing', {}]] = Object.entries(node);
  if (!queryKinds.includes(kind)) throw new Error(`${kind} is not supported`);
  const { withClause, larg, rarg, ...query } = value as Fields;
  const inside = { ...enclosing, ctes: checkCtes(withClause, enclosing) };
  for (const operand of [larg, rarg]) if (operand) checkQuery({ SelectStmt: operand }, inside);

  const target = query.relation && tableOf(query.relation);
  const sources = target ? [target] : [];
  if (kind === 'InsertStmt') checkInsert(query, sources, enclosing.outer);
  else {
    requireSameOwner(query.targetList, target);
    const conditions: Condition[] = [];
    for (const item of [...(query.fromClause ?? []), ...(query.usingClause ?? [])]) {
      sources.push(...readSources(item, inside.ctes, conditions));
    }
    conditions.push({ expression: query.whereClause, sources });
    requireRestriction(sources, conditions, enclosing.outer);
  }
  checkInside(query, { ...inside, outer: [...sources, ...enclosing.outer] });
}

/** Returns the names of the CTEs that the query can read. */
function checkCtes(clause: WithClause | undefined, enclosing: Enclosing): Set<string> {
  const ctes = new Set(enclosing.ctes);
  if (clause?.recursive) throw new Error('recursion is not supported');
  for (const node of clause?.ctes ?? []) {
    if (!('CommonTableExpr' in node)) continue;
    const { ctename = '', ctequery } = node.CommonTableExpr;
    if (ctequery) checkQuery(ctequery, { ...enclosing, ctes: new Set(ctes) });
    ctes.add(ctename);
  }
  return ctes;
}

/** An inserted row has an owner. A row that exists is updated only if it has the same owner, and then keeps it. */
function checkInsert(query: InsertStmt, [target]: Source[], outer: readonly Source[]): void {
  if (!target || !hasOwner(query.cols, target))
    throw new Error(`a row of ${target?.table} gets no workspace`);
  const { action, infer, targetList, whereClause } = query.onConflictClause ?? {};
  if (action !== 'ONCONFLICT_UPDATE') return;
  requireSameOwner(targetList, target);
  if (hasOwner(infer?.indexElems, target)) return;
  const sources = [target, { alias: 'excluded', table: null }];
  requireRestriction(sources, [{ expression: whereClause, sources }], outer);
}

function requireSameOwner(assignments: Node[] | undefined, target: Source | undefined): void {
  if (target && hasOwner(assignments, target))
    throw new Error(`a row of ${target.table} moves to another workspace`);
}

/** Checks the queries in all other parts of a query. */
function checkInside(part: unknown, enclosing: Enclosing): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key.endsWith('Stmt') && key !== 'selectStmt') checkQuery(part as Node, enclosing);
    else checkInside(value, enclosing);
  }
}

/** Returns the sources of an item of `from`, and adds the conditions of its joins. */
function readSources(item: Node, ctes: ReadonlySet<string>, conditions: Condition[]): Source[] {
  if ('RangeVar' in item) {
    const source = tableOf(item.RangeVar);
    return [ctes.has(item.RangeVar.relname ?? '') ? { ...source, table: null } : source];
  }
  if ('RangeSubselect' in item || 'RangeFunction' in item) {
    const { lateral, alias } = 'RangeSubselect' in item ? item.RangeSubselect : item.RangeFunction;
    if (lateral) throw new Error('lateral is not supported');
    return [{ alias: alias?.aliasname ?? '', table: null }];
  }
  if (!('JoinExpr' in item)) throw new Error(`${Object.keys(item).join()} is not supported`);
  const { jointype = '', isNatural, usingClause, alias, larg, rarg, quals } = item.JoinExpr;
  const isSupported = ['JOIN_INNER', 'JOIN_LEFT'].includes(jointype) && !isNatural && !usingClause && !alias;
  if (!isSupported || !larg || !rarg) throw new Error('this join is not supported');
  const left = readSources(larg, ctes, conditions);
  const right = readSources(rarg, ctes, conditions);
  conditions.push({ expression: quals, sources: jointype === 'JOIN_LEFT' ? right : [...left, ...right] });
  return [...left, ...right];
}

function tableOf({ relname = '', schemaname, alias }: RangeVar): Source {
  if (schemaname) throw new Error('names of schemas are not supported');
  return { alias: alias?.aliasname ?? relname, table: relname };
}

/**
 * Throws unless the conditions restrict each table of the query: its owner equals a parameter, or the owner of another
 * table that is restricted, here or in an enclosing query.
 */
function requireRestriction(
  sources: readonly Source[],
  conditions: readonly Condition[],
  outer: readonly Source[],
): void {
  const restricted = new Set<Source>();
  /** The first source is restricted if the second is. */
  const links: [Source, Source][] = [];
  for (const { expression, sources: affected } of conditions) {
    for (const { lexpr, rexpr, kind } of equalitiesOf(expression)) {
      for (const [one, other] of [
        [lexpr, rexpr],
        [rexpr, lexpr],
      ]) {
        const source = ownerIn(one, sources);
        if (!source || !affected.includes(source)) continue;
        const linked = kind === 'AEXPR_OP' ? ownerIn(other, sources) : undefined;
        if (linked) links.push([source, linked]);
        else if (isParameter(other, kind) || (kind === 'AEXPR_OP' && isGiven(other, sources, outer)))
          restricted.add(source);
      }
    }
  }
  for (let known = -1; known < restricted.size; ) {
    known = restricted.size;
    for (const [source, linked] of links) if (restricted.has(linked)) restricted.add(source);
  }
  const free = sources.find((source) => source.table !== null && !restricted.has(source));
  if (free) throw new Error(`${free.table} is not restricted to a workspace`);
}

/** Returns the equalities that hold whenever the expression does: `=`, `= any`, `in`. */
function equalitiesOf(expression: Node | undefined): A_Expr[] {
  if (!expression) return [];
  if ('BoolExpr' in expression) {
    const { boolop, args = [] } = expression.BoolExpr;
    return boolop === 'AND_EXPR' ? args.flatMap(equalitiesOf) : [];
  }
  if (!('A_Expr' in expression)) return [];
  const { kind = '', name } = expression.A_Expr;
  const isEquality =
    ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN'].includes(kind) && wordsOf(name).join('.') === '=';
  return isEquality ? [expression.A_Expr] : [];
}

/** Returns the table whose owner the column is. */
function ownerIn(expression: Node | undefined, sources: readonly Source[]): Source | undefined {
  const [column, alias, ...more] = columnOf(expression).toReversed();
  const tables = sources.filter((source) => source.table !== null);
  if (column === undefined || more.length > 0 || (alias === undefined && tables.length !== 1))
    return undefined;
  return tables.find((source) => (alias === undefined || source.alias === alias) && isOwner(column, source));
}

function isParameter(expression: Node | undefined, kind: A_Expr['kind']): boolean {
  const value = withoutCast(expression);
  if (kind !== 'AEXPR_IN') return value !== undefined && 'ParamRef' in value;
  const items = value && 'List' in value ? (value.List.items ?? []) : [];
  return items.length > 0 && items.every((item) => isParameter(item, 'AEXPR_OP'));
}

/** Returns whether it is a column of a source that is no table, or the owner of a row of an enclosing query. */
function isGiven(
  expression: Node | undefined,
  sources: readonly Source[],
  outer: readonly Source[],
): boolean {
  const [alias, column, ...more] = columnOf(expression);
  if (column === undefined || more.length > 0) return false;
  const own = sources.find((source) => source.alias === alias);
  if (own) return own.table === null;
  const found = outer.find((source) => source.alias === alias);
  return found !== undefined && (found.table === null || isOwner(column, found));
}

function columnOf(expression: Node | undefined): string[] {
  const value = withoutCast(expression);
  return value && 'ColumnRef' in value ? wordsOf(value.ColumnRef.fields) : [];
}

function withoutCast(expression: Node | undefined): Node | undefined {
  if (!expression || !('TypeCast' in expression)) return expression;
  const { arg, typeName } = expression.TypeCast;
  return wordsOf(typeName?.names).join('.') === 'uuid' ? arg : expression;
}

function wordsOf(nodes: Node[] = []): string[] {
  return nodes.map((node) => ('String' in node ? (node.String.sval ?? '') : ''));
}

/** Returns whether the columns include the one that names the workspace of a row. */
function hasOwner(columns: Node[] = [], target: Source): boolean {
  return columns.some((node) => {
    const { name = '' } = 'ResTarget' in node ? node.ResTarget : 'IndexElem' in node ? node.IndexElem : {};
    return isOwner(name, target);
  });
}

function isOwner(column: string, { table }: Source): boolean {
  return table === 'workspace' ? column === 'id' : ['workspace_id', 'home_workspace_id'].includes(column);
}
