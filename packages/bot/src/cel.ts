import { Environment } from '@marcbachmann/cel-js';
import { firstCallBut, shownFields } from './cel-tree.ts';

/** The CEL types that answers have; `dyn` where the type is not known. */
export type CelType = 'string' | 'int' | 'double' | 'bool' | 'list<string>' | 'dyn';
/** A value in an expression: `int` is a bigint, `double` a number. */
export type CelValue = CelScalar | readonly string[];
type CelScalar = string | bigint | number | boolean;
/** What expressions can name: the declared fields of each variable, by type; some have fields themselves. */
export type CelNames = Record<
  'answers' | 'context' | 'customer',
  Record<string, CelType | Record<string, CelType>>
>;
/** The values of those fields; what is not there was not answered. Maps, since objects have a prototype. */
export type CelFacts = Record<keyof CelNames, ReadonlyMap<string, CelValue | ReadonlyMap<string, CelValue>>>;

/** Expressions over one definition's names. */
export type CelScope = {
  /**
   * Why the expression cannot be published, or undefined. A condition is a bool; a value is a string, number or bool.
   * Checks length, syntax, functions, names and types.
   */
  fault(expression: string, wanted: 'condition' | 'value'): string | undefined;
  /** Whether the condition is true; one that throws (a missing answer, a bad conversion) is not. */
  holds(expression: string, facts: CelFacts): boolean;
  /** The value, or undefined when the expression throws. */
  value(expression: string, facts: CelFacts): CelScalar | undefined;
  /**
   * The fields that can be read from its value, as in `answers.phone`: not those that only decide something, or are
   * measured. A variable stands for all that it has. None of what is no expression, which has no value either.
   */
  shows(expression: string): string[];
};

const expressionCharsMax = 500;

// Every function not named here is refused. The ones that matter: `matches` backtracks, the macros over lists and
// `cel.bind` nest to exponential work, `split` and `join` multiply text, `timestamp` depends on the machine's zone.
const allowedFunctions = new Set([
  'has',
  'size',
  'int',
  'double',
  'string',
  'bool',
  'startsWith',
  'endsWith',
  'contains',
  'indexOf',
  'substring',
  'lowerAscii',
  'upperAscii',
  'trim',
]);

const base = new Environment({
  limits: { maxAstNodes: 300, maxDepth: 40, maxListElements: 100, maxMapEntries: 20 },
});

// CEL has no operators over an int and a double, but authors write `answers.hours * 2`.
const mixedOperators: Record<string, (left: number, right: number) => number | boolean> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};
for (const [operator, apply] of Object.entries(mixedOperators)) {
  const handler = (left: bigint | number, right: bigint | number) => apply(Number(left), Number(right));
  base.registerOperator(`double ${operator} int: double`, handler);
  base.registerOperator(`int ${operator} double: double`, handler);
}
const same = (left: bigint | number, right: bigint | number) => Number(left) === Number(right);
base.registerOperator('double == int: bool', same);

/** A scope for the given names. */
export function celScope(names: CelNames): CelScope {
  const environment = base.clone();
  for (const [variable, schema] of Object.entries(names))
    environment.registerVariable({ name: variable, schema });
  const programs = new Map<string, (facts: CelFacts) => unknown>();

  const run = (expression: string, facts: CelFacts): unknown => {
    try {
      let program = programs.get(expression);
      if (program === undefined) {
        const parsed = environment.parse(expression);
        if (firstCallBut(allowedFunctions, parsed.ast) !== undefined) return undefined;
        program = parsed;
        programs.set(expression, program);
      }
      return program(facts);
    } catch {
      return undefined;
    }
  };

  return {
    fault: (expression, wanted) => expressionFault(environment, expression, wanted),
    holds: (expression, facts) => run(expression, facts) === true,
    value: (expression, facts) => {
      const result = run(expression, facts);
      return isScalar(result) ? result : undefined;
    },
    shows: (expression) => {
      try {
        return shownFields(environment.parse(expression).ast);
      } catch {
        return [];
      }
    },
  };
}

function expressionFault(environment: Environment, expression: string, wanted: 'condition' | 'value') {
  if (expression.length > expressionCharsMax) {
    return `The expression has ${expression.length} characters; at most ${expressionCharsMax} are allowed.`;
  }
  try {
    const forbidden = firstCallBut(allowedFunctions, environment.parse(expression).ast);
    if (forbidden !== undefined) {
      return `The function "${forbidden}" is not available. Available: ${[...allowedFunctions].join(', ')}.`;
    }
  } catch (error) {
    return `This is not an expression: ${summary(error)}.`;
  }
  const checked = environment.check(expression);
  if (!checked.valid) return `The expression cannot work: ${summary(checked.error)}.`;
  const type = checked.type ?? 'dyn';
  if (type === 'dyn') return undefined;
  if (wanted === 'condition' && type !== 'bool')
    return `A condition must be true or false; this one is of type ${type}.`;
  if (wanted === 'value' && !['string', 'int', 'double', 'bool'].includes(type)) {
    return `The value must be a string, a number or a bool; this one is of type ${type}.`;
  }
  return undefined;
}

function isScalar(value: unknown): value is CelScalar {
  return ['string', 'bigint', 'number', 'boolean'].includes(typeof value);
}

function summary(error: unknown): string {
  if (!(error instanceof Error)) return 'it is not understood';
  const text = 'summary' in error && typeof error.summary === 'string' ? error.summary : error.message;
  const line = (text.split('\n')[0] ?? '').replace(/\.$/, '');
  const missing = /^(?:No such key|Unknown variable): (.*)$/.exec(line);
  if (missing !== null) {
    return `"${missing[1]}" is not declared (use answers.<id of an ask step, or name saved by an llm step>, context.<name> or customer.<field>)`;
  }
  const start = 'range' in error && isRange(error.range) ? `, at character ${error.range.start + 1}` : '';
  return `${line}${start}`;
}

function isRange(range: unknown): range is { start: number } {
  return typeof range === 'object' && range !== null && 'start' in range && typeof range.start === 'number';
}
