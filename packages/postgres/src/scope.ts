import { type RawBuilder, sql } from 'kysely';
import { indexOfWord, isWord, type Node, readSql, splitAt } from './sql-tree.ts';

const marker = '/* across workspaces: ';

/**
 * Put into a statement, says that it is about all workspaces or knows none yet, and why; such a statement is not checked.
 * All of them are listed in docs/decisions/0013-scoped-statements.md.
 */
export function acrossWorkspaces(reason: string): RawBuilder<unknown> {
  return sql.raw(`${marker}${reason} */`);
}

/** A table or what else rows come from: a CTE, a function, a subquery. */
interface Source {
  alias: string;
  /** Null for what is no table: it has no rows of its own but those that it was given or that are checked elsewhere. */
  table: string | null;
}

/** A condition that every row meets, or, of a left join, every row of the joined source. */
interface Condition {
  nodes: Node[];
  joined: Source | null;
}

/** What a query can refer to besides its own sources: CTEs by name, the aliases of the queries around it. */
interface Around {
  ctes: ReadonlySet<string>;
  aliases: ReadonlySet<string>;
}

const queryWords = ['select', 'with', 'values', 'insert', 'update', 'delete'];
const joinWords = ['join', 'inner', 'left', 'right', 'full', 'cross', 'natural'];
const ends = 'where group having window order limit offset fetch for returning'.split(' ');

/**
 * Throws unless the statement is restricted to workspaces that it was given. For each table in it, in whatever subquery:
 * the column that says whose a row is (`workspace_id`; `home_workspace_id` of a key; `id` of `workspace`) equals a
 * parameter, or the same column of another table that is restricted, by a condition that cannot be passed by; whoever
 * inserts says it, and an upsert stays within it. What it cannot read it refuses. A table without such a column can only
 * be used by a statement that is marked.
 */
export function requireScope(text: string): void {
  try {
    const { nodes, comments } = readSql(text);
    if (comments.some((comment) => comment.startsWith(marker))) return;
    checkQuery(nodes, { ctes: new Set(), aliases: new Set() });
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
    sources.push(readSource(nodes.slice(1, indexOfWord(nodes, ['set'])), around));
  }
  const start = indexOfWord(nodes, ['from']);
  if (start < nodes.length) {
    const from = nodes.slice(start + 1, indexOfWord(nodes, ends, start));
    const lists = isWord(first, 'delete') ? splitAt(from, 'using') : [from];
    for (const list of lists) readFrom(list, around, sources, conditions);
  }
  const where = indexOfWord(nodes, ['where']);
  conditions.push({ nodes: nodes.slice(where + 1, indexOfWord(nodes, ends, where + 1)), joined: null });
  requireAnchors(sources, conditions, around);
  checkInside(nodes, sources, around);
}

function checkInsert(nodes: Node[], around: Around): void {
  const bodyAt = indexOfWord(nodes, ['values', 'select', 'with', 'default']);
  const isListed = nodes[bodyAt - 1]?.kind === 'group';
  const target = readSource(nodes.slice(2, isListed ? bodyAt - 1 : bodyAt), around);
  if (!hasOwner(nodes[bodyAt - 1], target)) throw new Error(`a row of ${target.table} is made for none`);
  const conflictAt = nodes.findIndex((node, at) => isWord(node, 'on') && isWord(nodes[at + 1], 'conflict'));
  const end = conflictAt === -1 ? indexOfWord(nodes, ['returning']) : conflictAt;
  const body = nodes.slice(bodyAt, end);
  checkQuery(body, around);
  const conflict = nodes.slice(end);
  checkInside(conflict, [target], around);
  if (
    conflictAt === -1 ||
    hasOwner(conflict[2], target) ||
    isWord(conflict.at(indexOfWord(conflict, ['do']) + 1), 'nothing')
  ) {
    return;
  }
  const where = indexOfWord(conflict, ['where'], indexOfWord(conflict, ['do']));
  const condition = conflict.slice(where + 1, indexOfWord(conflict, ['returning'], where));
  requireAnchors([target, { alias: 'excluded', table: null }], [{ nodes: condition, joined: null }], around);
}

/** Checks the queries in parentheses. */
function checkInside(nodes: Node[], sources: Source[], around: Around): void {
  const aliases = new Set([...around.aliases, ...sources.map((source) => source.alias)]);
  for (const node of nodes) {
    if (node.kind !== 'group') continue;
    if (isWord(node.nodes[0], ...queryWords)) checkQuery(node.nodes, { ...around, aliases });
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

function requireAnchors(sources: Source[], conditions: Condition[], around: Around): void {
  const held = new Set<Source>();
  /** What the first may rely upon, when the second is held. */
  const links: [Source, Source][] = [];
  for (const { nodes, joined } of conditions) {
    for (const [left, right] of equalitiesOf(nodes)) {
      for (const [one, other] of [
        [left, right],
        [right, left],
      ] as const) {
        const source = ownerIn(one, sources);
        if (!source || (joined && joined !== source)) continue;
        const linked = ownerIn(other, sources);
        if (linked) links.push([source, linked]);
        else if (isGiven(other, sources, around)) held.add(source);
      }
    }
  }
  for (let known = -1; known < held.size; ) {
    known = held.size;
    for (const [source, linked] of links) if (held.has(linked)) held.add(source);
  }
  const free = sources.find((source) => source.table !== null && !held.has(source));
  if (free) throw new Error(`${free.table} is read or changed whosever it is`);
}

/** The two sides of what has to be equal: nothing where there is a way around it. */
function equalitiesOf(nodes: Node[]): [Node[], Node[]][] {
  if (nodes.some((node) => isWord(node, 'or', 'case'))) return [];
  return splitAt(nodes, 'and').flatMap((part): [Node[], Node[]][] => {
    const [only] = part;
    if (part.length === 1 && only?.kind === 'group') return equalitiesOf(only.nodes);
    const [left, right, ...more] = splitAt(part, '=', 'in');
    return left && right && more.length === 0 ? [[withoutCast(left), withoutCast(right)]] : [];
  });
}

/** The source whose owner the column names. */
function ownerIn(nodes: Node[], sources: Source[]): Source | undefined {
  const column = nodes.at(-1);
  const tables = sources.filter((source) => source.table !== null);
  const isQualified = nodes.length === 3 && nodes[1]?.text === '.';
  if (nodes.length !== 1 && !isQualified) return undefined;
  if (!isQualified && tables.length !== 1) return undefined;
  return tables.find(
    (source) => (!isQualified || source.alias === nodes[0]?.text) && isOwner(column, source),
  );
}

/** Whether it is a parameter, `any` or a list of parameters, or a column of what is no table or of a query around. */
function isGiven(nodes: Node[], sources: Source[], around: Around): boolean {
  const [first, second] = nodes;
  if (nodes.length === 1 && first?.kind === 'parameter') return true;
  const list = isWord(first, 'any') ? second : first;
  if (list?.kind === 'group' && nodes.indexOf(list) === nodes.length - 1) {
    return splitAt(list.nodes, ',').every((one) =>
      isGiven(withoutCast(one), [], { ...around, aliases: new Set() }),
    );
  }
  if (nodes.length !== 3 || second?.text !== '.' || !first) return false;
  const own = sources.find((source) => source.alias === first.text);
  return own ? own.table === null : around.aliases.has(first.text);
}

function withoutCast(nodes: Node[]): Node[] {
  const [value, type, ...more] = splitAt(nodes, '::');
  const isCast =
    type && more.length === 0 && type.every((node) => isWord(node, 'uuid') || '[]'.includes(node.text));
  return value && isCast ? value : nodes;
}

function hasOwner(node: Node | undefined, source: Source): boolean {
  return node?.kind === 'group' && node.nodes.some((column) => isOwner(column, source));
}

function isOwner(column: Node | undefined, { table }: Source): boolean {
  if (column?.kind !== 'word' && column?.kind !== 'name') return false;
  if (table === 'workspace') return column.text === 'id';
  return column.text === 'workspace_id' || column.text === 'home_workspace_id';
}

function nameOf(node: Node | undefined): string {
  if (node?.kind !== 'word' && node?.kind !== 'name')
    throw new Error(`${node?.text} is no name that is read`);
  return node.text;
}
