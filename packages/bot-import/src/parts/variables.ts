import { asDouble, numberOf, type Operand, quoted } from './expressions.ts';
import type { Setting } from './setting.ts';
import type { Source } from './source.ts';

/** A value that steps of another product count up or set: a key of the evaluation. */
export type Variable = { key: string; type: 'number' | 'text'; start: number | string | undefined };

/** Returns the value of a variable as an operand. */
export function variableOperand({ key, type, start }: Variable): Operand {
  const known = start === undefined ? { has: `has(evaluation.${key})` } : {};
  return type === 'number'
    ? { value: `double(evaluation.${key})`, type: 'double', ...known }
    : { value: `evaluation.${key}`, type: 'string', ...known };
}

/** Adds a step that gives all variables the values with which they start. */
export function startVariables(
  variables: Iterable<Variable>,
  source: Source,
  { flow, names }: Setting,
): void {
  const starts = [...variables].flatMap(({ key, start }): [string, string][] =>
    start === undefined ? [] : [[key, typeof start === 'number' ? String(start) : quoted(start)]],
  );
  for (let from = 0; from < starts.length; from += 50) {
    const evaluation = Object.fromEntries(starts.slice(from, from + 50));
    flow.add({ id: names.step('start_values', 'start_values'), kind: 'set', evaluation }, source);
  }
}

/** Returns the keys of the evaluation. */
export function variableSteps(variables: Iterable<Variable>): string[] {
  return [...variables].map(({ key }) => key);
}

const signs = { add: '+', subtract: '-', multiply: '*', divide: '/' };

export type Calculation = keyof typeof signs | 'assign' | 'concat';

export function isCalculation(name: string): name is Calculation {
  return name === 'assign' || name === 'concat' || Object.hasOwn(signs, name);
}

/** Returns the new value of a variable as CEL, or undefined if CEL cannot say it. */
export function calculate(
  variable: Variable,
  how: Calculation,
  by: Operand | number | string,
): string | undefined {
  const own = variableOperand(variable);
  if (variable.type === 'text') {
    const text = typeof by === 'object' ? textOf(by) : quoted(String(by));
    if (how === 'assign') return text;
    return how === 'concat' && text !== undefined ? `${own.value} + ${text}` : undefined;
  }
  const number =
    typeof by === 'object' ? numberOf(by) : Number.isFinite(Number(by)) ? asDouble(Number(by)) : undefined;
  if (number === undefined || how === 'concat') return undefined;
  return how === 'assign' ? number : `${own.value} ${signs[how]} ${number}`;
}

function textOf({ value, type }: Operand): string | undefined {
  if (type === 'list') return undefined;
  return type === 'string' ? value : `string(${value})`;
}
