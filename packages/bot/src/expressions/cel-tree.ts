// Functions over syntax trees of CEL. Operands are nodes, lists of nodes or plain values, depending on the operator.

/** Operators whose result is a bool or a number that does not reveal their operands. */
const decidingOperators = new Set(['==', '!=', '<', '<=', '>', '>=', '&&', '||', '!_', 'in']);
const decidingFunctions = new Set(['has', 'size', 'startsWith', 'endsWith', 'contains', 'indexOf']);

/** Returns the first called function that is not allowed, with the position of its name. */
export function firstForbiddenCall(
  allowed: ReadonlySet<string>,
  tree: unknown,
  expression: string,
): { name: string; start: number } | undefined {
  return nodesOf(tree)
    .flatMap((node) => {
      const name = calledFunction(node);
      return name === undefined ? [] : { name, start: nameOffset(node, name, expression) };
    })
    .find(({ name }) => !allowed.has(name));
}

function nameOffset({ op, args, start = 0 }: Node, name: string, expression: string): number {
  const receiver: unknown = op === 'rcall' && Array.isArray(args) ? args[1] : undefined;
  return isNode(receiver) ? expression.indexOf(name, receiver.end) : start;
}

export function renameCalls(names: ReadonlyMap<string, string>, tree: unknown): void {
  for (const node of nodesOf(tree)) {
    const name = names.get(calledFunction(node) ?? '');
    if (name !== undefined && Array.isArray(node.args)) node.args[0] = name;
  }
}

/** Returns the arguments of `has`, each as [start, end) in the expression. */
export function argumentsOfHas(tree: unknown): [start: number, end: number][] {
  return nodesOf(tree).flatMap((node) => {
    if (calledFunction(node) !== 'has' || !Array.isArray(node.args)) return [];
    const [, parts]: unknown[] = node.args;
    return (Array.isArray(parts) ? parts : []).flatMap((part: unknown): [number, number][] =>
      isNode(part) && part.start !== undefined && part.end !== undefined ? [[part.start, part.end]] : [],
    );
  });
}

/** Returns the position of the operator of a node with two operands; -1 for any other node. */
export function operatorOffset({ op, args }: Node, expression: string): number {
  const [left, right]: unknown[] = Array.isArray(args) ? args : [];
  return isNode(left) && isNode(right) && left.end !== undefined ? expression.indexOf(op, left.end) : -1;
}

/** Returns the literals of a tree with their positions; a minus before a number belongs to it. */
export function literals(tree: unknown): { value: unknown; start: number }[] {
  const nodes = nodesOf(tree);
  const negated = new Set(nodes.flatMap(({ op, args }) => (op === '-_' ? [args] : [])));
  return nodes.flatMap((node) => {
    if (node.op !== 'value') return [];
    const value = negated.has(node) && typeof node.args === 'bigint' ? -node.args : node.args;
    return { value, start: node.start ?? 0 };
  });
}

/**
 * Returns the fields that can be read from the value of an expression, as in `answers.phone`. Fields that are
 * only compared or measured are left out. A variable stands for an unknown field of it.
 */
export function readableFields(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(readableFields);
  if (!isNode(node)) return [];
  const field = fieldOf(node);
  if (field !== undefined) return [field];
  if (decidingOperators.has(node.op) || decidingFunctions.has(calledFunction(node) ?? '')) return [];
  return readableFields(node.op === '?:' && Array.isArray(node.args) ? node.args.slice(1) : node.args);
}

/** What an expression may result in. */
export type Result = { text: string } | { field: string } | 'any';

/** Returns all results of a tree: both, if it chooses between two. */
export function resultsOf(node: unknown): Result[] {
  if (!isNode(node)) return ['any'];
  if (node.op === '?:' && Array.isArray(node.args)) return node.args.slice(1).flatMap(resultsOf);
  if (node.op === 'value' && typeof node.args === 'string') return [{ text: node.args }];
  const field = fieldOf(node);
  return [field === undefined ? 'any' : { field }];
}

/** Returns the field that a node reads, as in `answers.phone`, or the variable. */
export function fieldOf(node: Node): string | undefined {
  if (node.op === 'id') return String(node.args);
  if ((node.op !== '.' && node.op !== '[]') || !Array.isArray(node.args)) return undefined;
  const [of, by]: unknown[] = node.args;
  const name = isNode(by) && by.op === 'value' ? by.args : by;
  const before = isNode(of) ? fieldOf(of) : undefined;
  return before !== undefined && typeof name === 'string' ? `${before}.${name}` : undefined;
}

/** A text that an expression compares with a field, and how. */
export interface ComparedText {
  field: string;
  how: '==' | 'startsWith' | 'endsWith' | 'contains';
  text: string;
  start: number;
}

export function comparedTexts(tree: unknown): ComparedText[] {
  return nodesOf(tree).flatMap((node): ComparedText[] => {
    const [left, right, given]: unknown[] = Array.isArray(node.args) ? node.args : [];
    if (node.op === '==' || node.op === '!=')
      return [...textsOf(left, '==', right), ...textsOf(right, '==', left)];
    if (node.op === 'in' && isNode(right) && right.op === 'list') return textsOf(left, '==', right.args);
    const how = partFunctions.find((name) => node.op === 'rcall' && name === calledFunction(node));
    return how === undefined ? [] : textsOf(right, how, given);
  });
}

const partFunctions = ['startsWith', 'endsWith', 'contains'] as const;

/** Returns the texts among the operands that a field is compared with. */
function textsOf(of: unknown, how: ComparedText['how'], operands: unknown): ComparedText[] {
  const field = isNode(of) ? fieldOf(of) : undefined;
  if (field === undefined) return [];
  return [operands].flat().flatMap((one: unknown): ComparedText[] => {
    if (!isNode(one) || one.op !== 'value' || typeof one.args !== 'string') return [];
    return [{ field, how, text: one.args, start: one.start ?? 0 }];
  });
}

/** A part of an expression that compares, and reads one field. It says something if it is `holdsIf`. */
interface Comparison {
  field: string;
  start: number;
  end: number;
  holdsIf: boolean;
}

export function comparisonsOf(tree: unknown): Comparison[] {
  return nodesOf(tree).flatMap((node): Comparison[] => {
    const { op, start, end } = node;
    const compares =
      ['==', '!=', 'in'].includes(op) || partFunctions.some((name) => name === calledFunction(node));
    const [field, ...others] = new Set(fieldsRead(node));
    if (!compares || field === undefined || others.length > 0) return [];
    return start === undefined || end === undefined ? [] : [{ field, start, end, holdsIf: op !== '!=' }];
  });
}

function fieldsRead(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(fieldsRead);
  if (!isNode(node)) return [];
  const field = fieldOf(node);
  return field === undefined ? fieldsRead(node.args) : [field];
}

/** Returns all nodes of a tree, each before its operands. */
export function nodesOf(tree: unknown, found: Node[] = []): Node[] {
  if (Array.isArray(tree)) for (const one of tree) nodesOf(one, found);
  else if (isNode(tree)) {
    found.push(tree);
    nodesOf(tree.args, found);
  }
  return found;
}

/** A node of a syntax tree. `start` and `end` are its position in the expression. */
export type Node = { op: string; args: unknown; start?: number; end?: number };

export function isNode(node: unknown): node is Node {
  return (
    typeof node === 'object' && node !== null && 'op' in node && typeof node.op === 'string' && 'args' in node
  );
}

export function calledFunction({ op, args }: Node): string | undefined {
  return (op === 'call' || op === 'rcall') && Array.isArray(args) ? String(args[0]) : undefined;
}
