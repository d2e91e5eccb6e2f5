import { Environment } from '@marcbachmann/cel-js';
import { calledFunction, fieldOf, isNode, type Node, nodesOf } from '../expressions/cel-tree.ts';
import type { CelScalar } from '../expressions/cel-types.ts';

/** How a row compares. `has`: a list has the operand. `given`: the value is there. */
export type Comparison =
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'has'
  | 'hasNot'
  | 'contains'
  | 'containsNot'
  | 'given'
  | 'missing';

/** A comparison of a value, such as `answers.score`. An int is a bigint, a double a number. */
export interface Row {
  /** The name of the value, such as `answers.score`. */
  of: string;
  comparison: Comparison;
  /** Undefined for `given` and `missing`. */
  operand?: CelScalar;
}

/** A condition without CEL: rows of which all or any must hold. */
export interface Condition {
  join: 'all' | 'any';
  rows: Row[];
}

const sources = new Set(['answers', 'others', 'context', 'customer', 'evaluation']);
const symbols = new Set(['==', '!=', '<', '<=', '>', '>=']);
/** The comparison if its sides change places. */
const mirrored: Record<string, Comparison> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};
const opposites: Partial<Record<Comparison, Comparison>> = {
  has: 'hasNot',
  contains: 'containsNot',
  given: 'missing',
  '==': '!=',
  '!=': '==',
};

const syntax = new Environment({ unlistedVariablesAreDyn: true });

/** Returns an expression as rows; undefined if they cannot say it. */
export function readCondition(expression: string): Condition | undefined {
  let tree: unknown;
  try {
    tree = syntax.parse(expression).ast;
  } catch {
    return undefined;
  }
  if (!isNode(tree)) return undefined;
  const join = tree.op === '||' ? 'any' : 'all';
  const rows = operandsOf(tree, join === 'any' ? '||' : '&&').map(rowOf);
  return rows.every((row) => row !== undefined) ? { join, rows } : undefined;
}

/** Returns rows as an expression, which `readCondition` reads as the same rows. */
export function writeCondition({ join, rows }: Condition): string {
  return rows.map(writeRow).join(join === 'any' ? ' || ' : ' && ');
}

function operandsOf(node: unknown, operator: string): unknown[] {
  if (!isNode(node) || node.op !== operator || !Array.isArray(node.args)) return [node];
  return node.args.flatMap((operand: unknown) => operandsOf(operand, operator));
}

function rowOf(node: unknown): Row | undefined {
  if (!isNode(node)) return undefined;
  if (node.op === '!_') {
    const row = rowOf(node.args);
    const comparison = row && opposites[row.comparison];
    return row && comparison && { ...row, comparison };
  }
  const [left, right]: unknown[] = Array.isArray(node.args) ? node.args : [];
  const bare = nameOf(node);
  // A yes or no alone is a condition.
  if (bare !== undefined) return { of: bare, comparison: '==', operand: true };
  if (symbols.has(node.op)) return compared(left, node.op, right) ?? compared(right, mirrored[node.op], left);
  if (node.op === 'in') return compared(right, 'has', left);
  return calledRow(node);
}

function calledRow(node: Node): Row | undefined {
  const [, first, given]: unknown[] = Array.isArray(node.args) ? node.args : [];
  const name = calledFunction(node);
  if (name === 'has' && Array.isArray(first) && first.length === 1) {
    const of = hasIndex(first[0]) ? undefined : nameOf(first[0]);
    return of === undefined ? undefined : { of, comparison: 'given' };
  }
  if (node.op !== 'rcall' || name !== 'contains' || !Array.isArray(given) || given.length !== 1)
    return undefined;
  const row = compared(first, 'contains', given[0]);
  return typeof row?.operand === 'string' ? row : undefined;
}

/** Returns whether a value is read by an index, as in `answers['a-b']`. CEL has no `has` of that. */
function hasIndex(node: unknown): boolean {
  return nodesOf(node).some(({ op }) => op === '[]');
}

function compared(value: unknown, comparison: string | undefined, literal: unknown): Row | undefined {
  const of = nameOf(value);
  const operand = literalOf(literal);
  return of === undefined || operand === undefined
    ? undefined
    : { of, comparison: comparison as Comparison, operand };
}

function nameOf(node: unknown): string | undefined {
  const name = isNode(node) ? fieldOf(node) : undefined;
  const [source = '', ...fields] = name?.split('.') ?? [];
  const isKnown = sources.has(source) && (fields.length === 1 || fields.length === 2);
  return isKnown && fields.every((field) => /^[A-Za-z][\w-]*$/.test(field)) ? name : undefined;
}

function literalOf(node: unknown): CelScalar | undefined {
  if (!isNode(node)) return undefined;
  if (node.op === '-_') {
    const value = literalOf(node.args);
    return typeof value === 'bigint' || typeof value === 'number' ? -value : undefined;
  }
  const value = node.op === 'value' ? node.args : undefined;
  return ['string', 'bigint', 'number', 'boolean'].includes(typeof value) ? (value as CelScalar) : undefined;
}

function writeRow({ of, comparison, operand }: Row): string {
  const value = writeName(of);
  switch (comparison) {
    case 'given':
      return `has(${value})`;
    case 'missing':
      return `!has(${value})`;
    case 'has':
      return `${writeLiteral(operand)} in ${value}`;
    case 'hasNot':
      return `!(${writeLiteral(operand)} in ${value})`;
    case 'contains':
      return `${value}.contains(${writeLiteral(operand)})`;
    case 'containsNot':
      return `!${value}.contains(${writeLiteral(operand)})`;
    default:
      return `${value} ${comparison} ${writeLiteral(operand)}`;
  }
}

/** A name with a hyphen, or one of a word of the language, is no field of an expression. */
const noField =
  /-|^(?:true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$/;

/** Returns whether a name is a field of an expression: `answers.score`, but `answers['nps-score']`. */
export function isField(name: string): boolean {
  return !noField.test(name);
}

/** Returns the name of a value as an expression: `answers.score`, but `answers['nps-score']`. */
export function writeName(of: string): string {
  const [source = '', ...fields] = of.split('.');
  return source + fields.map((field) => (isField(field) ? `.${field}` : `['${field}']`)).join('');
}

const escapes: Record<string, string> = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function writeLiteral(value: CelScalar | undefined): string {
  if (typeof value === 'number') return /^-?\d+$/.test(String(value)) ? `${value}.0` : String(value);
  if (typeof value !== 'string') return String(value ?? true);
  const body = value.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\\'\u0000-\u001f]/g,
    (one) => escapes[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `'${body}'`;
}
