import { type RawBuilder, sql } from 'kysely';
import { type Condition, hasOwner, isOwner, requireRestriction, type Source } from './restriction.ts';
import { indexOfWord, isWord, type Node, readSql, splitAt } from './sql-tree.ts';

const marker = '/* across workspaces: ';

/**
 * Put into a statement, says that it is about all workspaces or knows none yet, and why; such a statement is not checked.
 * All of them are listed in docs/decisions/0013-scoped-statements.md.
 */
export function acrossWorkspaces(reason: string): RawBuilder<unknown> {
  return sql.raw(`${marker}${reason} */`);
}

/** What a query can refer to besides its own sources: CTEs by name, the sources of the queries around it, nearest first. */
interface Around {
  ctes: ReadonlySet<string>;
  outer: Source[];
}

const queryWords = ['select', 'with', 'values', 'insert', 'update', 'delete'];
const joinWords = ['join', 'inner', 'left', 'right', 'full', 'cross', 'natural'];
const ends = 'where group having window order limit offset fetch for returning'.split(' ');

/**
 * Throws unless the statement is restricted to workspaces that it was given. For each table in it, in whatever subquery:
 * the column that says whose a row is (`workspace_id`; `home_workspace_id` of a key; `id` of `workspace`) equals a
 * parameter, or the same column of another table that is restricted, by a condition that cannot be passed by (see
 * restriction.ts); whoever inserts says it, an upsert stays within it, and no update changes it. What it cannot read it
 * refuses. A table without such a column can only be used by a statement that is marked.
 */
export function requireScope(text: string): void {
  try {
    const { nodes, comments } = readSql(text);
    if (comments.some((comment) => comment.startsWith(marker))) return;
    checkQuery(nodes, { ctes: new Set(), outer: [] });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    throw new Error(`Statement is not restricted to a workspace: ${reason}; in: ${text}`, { cause });
  }
}

function checkQuery(nodes: Node[], around: Around): void {
  const ctes = new Set(around.ctes);
  let at = 0;
  if (isWord(nodes[0], 'with')) {
    if (isWord(nodes[1], 'recursive')) throw new Error('recursion is not read');
    do {
      const name = nameOf(nodes[at + 1]);
      at += nodes[at + 2]?.kind === 'group' ? 3 : 2;
      at = nodes.findIndex((node, index) => index > at && node.kind === 'group');
      const body = nodes[at];
      if (body?.kind !== 'group') throw new Error(`${name} is not read`);
      checkQuery(body.nodes, { ...around, ctes: new Set(ctes) });
      ctes.add(name);
      at += 1;
    } while (nodes[at]?.text === ',');
  }
  for (const part of splitAt(nodes.slice(at), 'union', 'intersect', 'except')) {
    const from = isWord(part[0], 'all', 'distinct') ? 1 : 0;
    checkStatement(part.slice(from), { ...around, ctes });
  }
}

function checkStatement(nodes: Node[], around: Around): void {
  const [first] = nodes;
  if (nodes.length === 1 && first?.kind === 'group') return checkQuery(first.nodes, around);
  if (!isWord(first, ...queryWords)) throw new Error(`${first?.text} is not read`);
  const sources: Source[] = [];
  const conditions: Condition[] = [];
  if (isWord(first, 'insert')) return checkInsert(nodes, around);
  if (isWord(first, 'update')) {
    const set = indexOfWord(nodes, ['set']);
    const setEnd = indexOfWord(nodes, ['from', 'where', 'returning'], set);
    const target = readSource(nodes.slice(1, set), around);
    requireSameOwner(nodes.slice(set + 1, setEnd), target);
    sources.push(target);
  }
  const start = indexOfWord(nodes, ['from']);
  if (start < nodes.length) {
    const from = nodes.slice(start + 1, indexOfWord(nodes, ends, start));
    const lists = isWord(first, 'delete') ? splitAt(from, 'using') : [from];
    for (const list of lists) readFrom(list, around, sources, conditions);
  }
  const where = indexOfWord(nodes, ['where']);
  conditions.push({ nodes: nodes.slice(where + 1, indexOfWord(nodes, ends, where + 1)), joined: null });
  requireRestriction(sources, conditions, around.outer);
  checkInside(nodes, sources, around);
}

function checkInsert(nodes: Node[], around: Around): void {
  const bodyAt = indexOfWord(nodes, ['values', 'select', 'with', 'default']);
  const isListed = nodes[bodyAt - 1]?.kind === 'group';
  const target = readSource(nodes.slice(2, isListed ? bodyAt - 1 : bodyAt), around);
  if (!hasOwner(nodes[bodyAt - 1], target)) throw new Error(`a row of ${target.table} is made for none`);
  const conflictAt = nodes.findIndex((node, at) => isWord(node, 'on') && isWord(nodes[at + 1], 'conflict'));
  const end = conflictAt === -1 ? indexOfWord(nodes, ['returning']) : conflictAt;
  checkQuery(nodes.slice(bodyAt, end), around);
  checkInside(nodes.slice(end), [target], around);
  if (conflictAt !== -1) checkConflict(nodes.slice(conflictAt), target, around);
}

/** The row that is there already may be updated when it is of the same owner, and then stays so. */
function checkConflict(nodes: Node[], target: Source, around: Around): void {
  const action = indexOfWord(nodes, ['do']) + 1;
  if (isWord(nodes[action], 'nothing')) return;
  const set = indexOfWord(nodes, ['set'], action);
  const where = indexOfWord(nodes, ['where', 'returning'], set);
  requireSameOwner(nodes.slice(set + 1, where), target);
  if (hasOwner(nodes[2], target)) return;
  const condition = nodes.slice(where + 1, indexOfWord(nodes, ['returning'], where));
  const sources = [target, { alias: 'excluded', table: null }];
  requireRestriction(sources, [{ nodes: condition, joined: null }], around.outer);
}

/** Throws when the assignments, what stands behind `set`, could give a row of the target to another workspace. */
function requireSameOwner(assignments: Node[], target: Source): void {
  for (const [column, sign] of splitAt(assignments, ',')) {
    if (sign?.text !== '=') throw new Error(`what ${target.table} is set to is not read`);
    if (isOwner(column, target) || hasOwner(column, target)) {
      throw new Error(`a row of ${target.table} is given to another workspace`);
    }
  }
}

/** Checks the queries in parentheses. */
function checkInside(nodes: Node[], sources: Source[], around: Around): void {
  const outer = [...sources, ...around.outer];
  for (const node of nodes) {
    if (node.kind !== 'group') continue;
    if (isWord(node.nodes[0], ...queryWords)) checkQuery(node.nodes, { ...around, outer });
    else checkInside(node.nodes, sources, around);
  }
}

function readFrom(nodes: Node[], around: Around, sources: Source[], conditions: Condition[]): void {
  for (const item of splitAt(nodes, ',')) {
    let at = indexOfWord(item, joinWords);
    sources.push(readSource(item.slice(0, at), around));
    while (at < item.length) {
      const join = indexOfWord(item, ['join'], at);
      const kind = item.slice(at, join);
      if (!kind.every((node) => isWord(node, 'inner', 'left', 'outer', 'cross'))) {
        throw new Error('of joins, only inner, left and cross ones are read');
      }
      at = indexOfWord(item, joinWords, join + 1);
      const on = indexOfWord(item.slice(0, at), ['on'], join);
      const source = readSource(item.slice(join + 1, on), around);
      sources.push(source);
      const joined = isWord(kind[0], 'left') ? source : null;
      conditions.push({ nodes: item.slice(on + 1, at), joined });
    }
  }
}

/** `table [as alias]`, `function(…) [with ordinality] [as alias (…)]` or `(query) as alias`. */
function readSource(nodes: Node[], { ctes }: Around): Source {
  const [first, second] = nodes;
  const parts = nodes.filter((node) => !isWord(node, 'as', 'with', 'ordinality'));
  const alias = parts.findLast((node) => node.kind !== 'group')?.text ?? '';
  if (first?.kind === 'group' && isWord(first.nodes[0], ...queryWords)) return { alias, table: null };
  const name = nameOf(first);
  if (name === 'lateral') throw new Error('lateral is not read');
  if (second?.kind === 'group') return { alias, table: null };
  const isPlain = parts.length <= 2 && parts.every((node) => node.kind === 'name' || node.kind === 'word');
  if (!isPlain) throw new Error(`${nodes.map((node) => node.text).join(' ')} is not read`);
  return { alias, table: ctes.has(name) ? null : name };
}

function nameOf(node: Node | undefined): string {
  if (node?.kind !== 'word' && node?.kind !== 'name')
    throw new Error(`${node?.text} is no name that is read`);
  return node.text;
}
