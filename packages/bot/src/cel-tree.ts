// Walks over syntax trees of CEL, whose operands are nodes, lists of nodes or plain values, depending on the operator.

/** What comes of these is a bool or a number that holds nothing of what they are given. */
const decidingOperators = new Set(['==', '!=', '<', '<=', '>', '>=', '&&', '||', '!_', 'in']);
const decidingFunctions = new Set(['has', 'size', 'startsWith', 'endsWith', 'contains', 'indexOf']);

/** The name of a function that is called and not allowed. */
export function firstCallBut(allowed: ReadonlySet<string>, node: unknown): string | undefined {
  if (Array.isArray(node)) {
    for (const part of node) {
      const found = firstCallBut(allowed, part);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isNode(node)) return undefined;
  const name = calledBy(node);
  if (name !== undefined && !allowed.has(name)) return name;
  return firstCallBut(allowed, node.args);
}

/** Gives the functions that a tree calls other names, where there are any for them. */
export function renameCalls(names: ReadonlyMap<string, string>, node: unknown): void {
  if (Array.isArray(node)) for (const part of node) renameCalls(names, part);
  if (!isNode(node)) return;
  renameCalls(names, node.args);
  if (Array.isArray(node.args)) node.args[0] = names.get(calledBy(node) ?? '') ?? node.args[0];
}

/** What `has` is asked about in a tree, each as [start, end) in the expression. */
export function askedFor(node: unknown): [start: number, end: number][] {
  if (Array.isArray(node)) return node.flatMap(askedFor);
  if (!isNode(node)) return [];
  const inner = askedFor(node.args);
  if (calledBy(node) !== 'has' || !Array.isArray(node.args)) return inner;
  const [, parts]: unknown[] = node.args;
  const own = (Array.isArray(parts) ? parts : []).flatMap((part: unknown): [number, number][] =>
    isNode(part) && part.start !== undefined && part.end !== undefined ? [[part.start, part.end]] : [],
  );
  return [...own, ...inner];
}

/** The literals of a tree; a minus before a number belongs to it. */
export function literals(node: unknown): unknown[] {
  if (Array.isArray(node)) return node.flatMap(literals);
  if (!isNode(node)) return [];
  if (node.op === 'value') return [node.args];
  const inner = literals(node.args);
  const isNegated = node.op === '-_' && isNode(node.args) && node.args.op === 'value';
  return isNegated ? inner.map((value) => (typeof value === 'bigint' ? -value : value)) : inner;
}

/**
 * The fields that can be read from the value of an expression, as in `answers.phone`; a variable where it is not known
 * which. Not those that only decide something, or are measured.
 */
export function shownFields(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(shownFields);
  if (!isNode(node)) return [];
  const field = fieldOf(node);
  if (field !== undefined) return [field];
  if (decidingOperators.has(node.op) || decidingFunctions.has(calledBy(node) ?? '')) return [];
  return shownFields(node.op === '?:' && Array.isArray(node.args) ? node.args.slice(1) : node.args);
}

function fieldOf(node: Node): string | undefined {
  if (node.op === 'id') return String(node.args);
  if ((node.op !== '.' && node.op !== '[]') || !Array.isArray(node.args)) return undefined;
  const [of, by]: unknown[] = node.args;
  const name = isNode(by) && by.op === 'value' ? by.args : by;
  const before = isNode(of) ? fieldOf(of) : undefined;
  return before !== undefined && typeof name === 'string' ? `${before}.${name}` : undefined;
}

/** With its place in the expression, where the parser has given it one. */
type Node = { op: string; args: unknown; start?: number; end?: number };

function isNode(node: unknown): node is Node {
  return (
    typeof node === 'object' && node !== null && 'op' in node && typeof node.op === 'string' && 'args' in node
  );
}

function calledBy({ op, args }: Node): string | undefined {
  return (op === 'call' || op === 'rcall') && Array.isArray(args) ? String(args[0]) : undefined;
}
