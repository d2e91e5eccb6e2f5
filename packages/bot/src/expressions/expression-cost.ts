import { type CelBindings, type CelValue, type CelVariable, celVariables } from './cel-types.ts';
import { calledFunction, fieldOf, isNode, type Node } from './cel-tree.ts';

/**
 * An upper bound of the work of an expression, whatever its values: a fixed part, and units for each character of the
 * values that it reads.
 */
export type Cost = {
  fixedUnits: number;
  perCharacter: readonly { variable: CelVariable; field: string | undefined; units: number }[];
};

const nodeUnits = 250;
/** An error of the library: each expression can fail once, and each operand of `&&` and `||`. */
const failureUnits = 5_000;
/** Per character that is copied or compared. */
const copyUnits = 1;
/** Per character that is examined by itself. */
const scanUnits = 10;
const scanning = new Set(['size', 'double', 'contains', 'indexOf', 'substring', 'lowerAscii', 'upperAscii']);
const comparing = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', 'startsWith', 'endsWith']);
const changesCase = new Set(['lowerAscii', 'upperAscii']);
const returnsText = new Set(['string', 'substring', 'trim', ...changesCase]);
/** The length of a text may grow by this factor when its case changes. */
export const caseGrowthMax = 1.5;
const numberCharacters = 25;

/** Characters by the name of the value that they come from, such as `answers.why`; fixed characters under ''. */
type Lengths = Map<string, number>;

export function costOf(tree: unknown): Cost {
  const units: Lengths = new Map([['', failureUnits]]);
  for (const node of operandsOf(tree)) addTo(units, lengthsOf(node, units), scanUnits);
  const perCharacter = [...units].flatMap(([name, factor]) => {
    const [variable = '', field] = name.split('.');
    return isVariable(variable) ? [{ variable, field, units: factor }] : [];
  });
  return { fixedUnits: units.get('') ?? 0, perCharacter };
}

/** Returns the characters of a field of a variable, or of all its fields. */
export type LengthOf = (variable: CelVariable, field: string | undefined) => number;

/** Returns the most units that the expression takes with values of these lengths. */
export function unitsOf({ fixedUnits, perCharacter }: Cost, lengthOfField: LengthOf): number {
  let sum = fixedUnits;
  for (const { variable, field, units } of perCharacter) sum += units * lengthOfField(variable, field);
  return sum;
}

export function lengthsIn(bindings: CelBindings): LengthOf {
  return (variable, field) => {
    const values = bindings[variable];
    if (!values) return 0;
    return field === undefined ? lengthIn(values) : lengthOf(values.get(field));
  };
}

/** Returns the most characters of the node's value. Adds the work of computing it to `units`. */
function lengthsOf(node: Node, units: Lengths): Lengths {
  add(units, '', nodeUnits);
  const { op, args } = node;
  const path = fieldOf(node);
  if (path !== undefined) return new Map([[path.split('.', 2).join('.'), 1]]);
  if (op === 'value') return new Map([['', typeof args === 'string' ? args.length + 1 : numberCharacters]]);
  const operands = operandsOf(args);
  const lengths = operands.map((operand) => lengthsOf(operand, units));
  const all: Lengths = new Map();
  for (const one of lengths) addTo(all, one);
  if (op === '?:' || op === '[]' || op === '.') return all;
  const called = calledFunction(node) ?? '';
  if (comparing.has(op) || comparing.has(called)) {
    addTo(units, comparedLengths(operands, lengths) ?? all, copyUnits);
  } else {
    addTo(units, all, scanning.has(called) ? scanUnits : copyUnits);
  }
  if (op === '&&' || op === '||') add(units, '', failureUnits);
  const isComposed = op === '+' || op === 'list' || op === 'map';
  const result: Lengths = new Map([['', numberCharacters]]);
  if (isComposed || returnsText.has(called)) {
    addTo(result, all, changesCase.has(called) ? caseGrowthMax : 1);
  }
  return result;
}

/** Returns the length of the fixed operand if it is compared with a field, of which no more is read. */
function comparedLengths(operands: Node[], lengths: Lengths[]): Lengths | undefined {
  const fixed = lengths.find((one) => [...one.keys()].every((name) => name === ''));
  const others = operands.filter((_, index) => lengths[index] !== fixed);
  return others.every((other) => fieldOf(other) !== undefined) ? fixed : undefined;
}

/** Returns the operands in the arguments of a node, which can be lists of lists. */
function operandsOf(args: unknown): Node[] {
  if (Array.isArray(args)) return args.flatMap(operandsOf);
  return isNode(args) ? [args] : [];
}

function addTo(sum: Lengths, lengths: Lengths, factor = 1): void {
  for (const [name, length] of lengths) add(sum, name, factor * length);
}

function add(sum: Lengths, name: string, length: number): void {
  sum.set(name, (sum.get(name) ?? 0) + length);
}

function lengthOf(value: CelValue | ReadonlyMap<string, CelValue> | undefined): number {
  if (typeof value === 'string') return value.length;
  if (value === undefined) return 0;
  if (value instanceof Map) return lengthIn(value);
  if (!Array.isArray(value)) return numberCharacters;
  let length = 0;
  for (const one of value) length += one.length + 1;
  return length;
}

function lengthIn(values: ReadonlyMap<string, CelValue | ReadonlyMap<string, CelValue>>): number {
  let length = 0;
  for (const value of values.values()) length += lengthOf(value) + 1;
  return length;
}

function isVariable(name: string): name is CelVariable {
  return celVariables.some((variable) => variable === name);
}
