import { isWord, type Node, splitAt } from './sql-tree.ts';

/** A table or what else rows come from: a CTE, a function, a subquery. */
export interface Source {
  alias: string;
  /** Null for what is no table: it has no rows of its own but those that it was given or that are checked elsewhere. */
  table: string | null;
}

/** A condition that every row meets, or, of a left join, every row of the joined source. */
export interface Condition {
  nodes: Node[];
  joined: Source | null;
}

/**
 * Throws unless the conditions restrict each table among the sources to workspaces that the statement was given: its owner
 * equals a parameter, or the owner of another table that is restricted, here or in a query around (the sources `outer`).
 */
export function requireRestriction(sources: Source[], conditions: Condition[], outer: Source[]): void {
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
        else if (isGiven(other, sources, outer)) held.add(source);
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

/**
 * Whether it is a parameter, `any` or a list of parameters, a column of what is no table, or the owner of a row of a query
 * around.
 */
function isGiven(nodes: Node[], sources: Source[], outer: Source[]): boolean {
  const [first, second] = nodes;
  if (nodes.length === 1 && first?.kind === 'parameter') return true;
  const list = isWord(first, 'any') ? second : first;
  if (list?.kind === 'group' && nodes.indexOf(list) === nodes.length - 1) {
    return splitAt(list.nodes, ',').every((one) => isGiven(withoutCast(one), [], []));
  }
  if (nodes.length !== 3 || second?.text !== '.') return false;
  const named = (source: Source): boolean => source.alias === first?.text;
  const own = sources.find(named);
  if (own) return own.table === null;
  const around = outer.find(named);
  return around !== undefined && (around.table === null || isOwner(nodes[2], around));
}

function withoutCast(nodes: Node[]): Node[] {
  const [value, type, ...more] = splitAt(nodes, '::');
  const isCast =
    type && more.length === 0 && type.every((node) => isWord(node, 'uuid') || '[]'.includes(node.text));
  return value && isCast ? value : nodes;
}

/** Whether the columns in parentheses include the one that says whose a row of the table is. */
export function hasOwner(node: Node | undefined, source: Source): boolean {
  return node?.kind === 'group' && node.nodes.some((column) => isOwner(column, source));
}

/** Whether the column says whose a row of the table is. */
export function isOwner(column: Node | undefined, { table }: Source): boolean {
  if (column?.kind !== 'word' && column?.kind !== 'name') return false;
  if (table === 'workspace') return column.text === 'id';
  return column.text === 'workspace_id' || column.text === 'home_workspace_id';
}
