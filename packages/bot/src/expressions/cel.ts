import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { comparisonFault, constantFault, missingIn, offsetOf, placeIn, summary } from './cel-faults.ts';
import { isInt64, ownFunctions, pointsIn, registerOwnFunctions } from './cel-functions.ts';
import {
  argumentsOfHas,
  type ComparedText,
  comparedTexts,
  firstForbiddenCall,
  literals,
  readableFields,
  renameCalls,
  type Result,
  resultsOf,
} from './cel-tree.ts';
import type { CelScalar, CelBindings, CelNames } from './cel-types.ts';
import { type Cost, costOf, type LengthOf, lengthsIn, unitsOf } from './expression-cost.ts';
import { spendUnits, type TurnBudget } from '../bounds/turn-budget.ts';
import { type Message, messages, reasons } from '../text/messages.ts';

/** Expressions over given names. */
export type CelExpressions = {
  /**
   * Returns why the expression cannot be published, or undefined. A condition is a bool; a value is a string,
   * number or bool. Checks length, syntax, functions, names and types.
   */
  fault(expression: string, wanted: 'condition' | 'value'): Message | undefined;
  /**
   * Returns whether the condition is true. One that throws (a missing answer, a bad conversion) is false, and so is one
   * that exceeds the budget.
   */
  holds(expression: string, bindings: CelBindings, budget: TurnBudget): boolean;
  /** Returns the value, or undefined when the expression throws or exceeds the budget. */
  value(expression: string, bindings: CelBindings, budget: TurnBudget): CelScalar | undefined;
  /** Returns the value, or why there is none: the expression throws, or exceeds the budget. */
  outcome(expression: string, bindings: CelBindings, budget: TurnBudget): unknown;
  /** Compiles an expression, unless it is compiled. Every other method does so, too. */
  compile(expression: string): void;
  /** Returns the most units of the turn's budget that the expression takes with values of these lengths. */
  units(expression: string, lengthOf: LengthOf): number;
  /**
   * Returns the fields that can be read from its value, as in `answers.phone`. Fields that are only compared
   * or measured are left out. A variable stands for all of its fields. Empty for an invalid expression.
   */
  readableFields(expression: string): string[];
  /** Returns the texts with which the expression compares fields. Empty for an invalid expression. */
  comparedTexts(expression: string): readonly ComparedText[];
  /** Returns what the expression may result in, and its type. Of type `dyn` for an invalid expression. */
  results(expression: string): { type: string; results: readonly Result[] };
};

interface ScopeOptions {
  charactersMax: number;
  /** The names that can be used, for the text of a fault. */
  names: string;
  /** The only values of some fields. A comparison with another text is a fault. */
  values?: Readonly<Record<string, readonly string[]>>;
  programsMax: number;
}

const ofDefinition: ScopeOptions = {
  charactersMax: 500,
  names:
    'answers.<id of an ask step, or saveAs of an llm step>, context.<name>, customer.<field> or evaluation.<key>',
  programsMax: Number.POSITIVE_INFINITY,
};

// Every function that is not listed is rejected. `matches` backtracks, the macros over lists and `cel.bind`
// nest to exponential work, `split` and `join` multiply text, and `timestamp` depends on the machine's zone.
export const allowedFunctions: ReadonlySet<string> = new Set([
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
registerOwnFunctions(base);

/**
 * Returns the expressions over these names: by default, as in a bot's definition. Browsers load this file, so its
 * programs are in no `lru-cache`.
 */
export function celExpressions(
  names: CelNames,
  { charactersMax, names: known, values = {}, programsMax }: ScopeOptions = ofDefinition,
): CelExpressions {
  const environment = environmentOf(names);
  const programs = new Map<string, Program | Error>();

  const programOf = (expression: string): Program | Error => {
    let program = programs.get(expression);
    if (program === undefined) {
      program = compile(environment, expression);
      const [oldest] = programs.keys();
      if (programs.size >= programsMax && oldest !== undefined) programs.delete(oldest);
      programs.set(expression, program);
    }
    return program;
  };

  const run = (expression: string, bindings: CelBindings, budget: TurnBudget): unknown => {
    const program = programOf(expression);
    if (program instanceof Error) return program;
    if (!spendUnits(budget, unitsOf(program.cost, lengthsIn(bindings))))
      return new Error('it takes too long');
    // The stacks of errors, which nobody sees, would take most of the time of expressions that fail.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      return program.run(bindings);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  };

  return {
    fault: (expression, wanted) =>
      lengthFault(expression, charactersMax) ??
      expressionFault(environment, { expression, program: programOf(expression), wanted, known, values }),
    holds: (expression, bindings, budget) => run(expression, bindings, budget) === true,
    value: (expression, bindings, budget) => {
      const result = run(expression, bindings, budget);
      return isScalar(result) ? result : undefined;
    },
    outcome: run,
    compile: (expression) => void programOf(expression),
    units: (expression, lengthOf) => {
      const program = sound(programOf(expression));
      return program ? unitsOf(program.cost, lengthOf) : 0;
    },
    readableFields: (expression) => sound(programOf(expression))?.readableFields ?? [],
    comparedTexts: (expression) => sound(programOf(expression))?.compared ?? [],
    results: (expression) => {
      const program = sound(programOf(expression));
      return { type: program?.run.check().type ?? 'dyn', results: program?.results ?? [] };
    },
  };
}

function environmentOf(names: CelNames): Environment {
  const environment = base.clone();
  for (const [variable, schema] of Object.entries(names)) {
    if (typeof schema === 'string') environment.registerVariable(variable, schema);
    else environment.registerVariable({ name: variable, schema });
  }
  return environment;
}

/** A compiled expression. Its types are checked, but they need not fit. */
type Program = {
  run: ParseResult;
  cost: Cost;
  readableFields: string[];
  compared: ComparedText[];
  results: Result[];
};

function sound(program: Program | Error): Program | undefined {
  return program instanceof Error ? undefined : program;
}

/** Returns an error for invalid syntax and for a function that is not allowed. */
function compile(environment: Environment, expression: string): Program | Error {
  try {
    const run = environment.parse(expression);
    const forbidden = firstForbiddenCall(allowedFunctions, run.ast, expression);
    if (forbidden) return new NotAvailable(forbidden.name, placeIn(expression, forbidden.start));
    const cost = costOf(run.ast);
    const readable = readableFields(run.ast);
    const compared = comparedTexts(run.ast);
    const results = resultsOf(run.ast);
    renameCalls(ownFunctions, run.ast);
    run.check();
    return { run, cost, readableFields: readable, compared, results };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Thrown for a function that is not allowed; the message is for the author. */
class NotAvailable extends Error {
  readonly fault: Message;

  constructor(name: string, place: string) {
    const fault = messages.notAvailable(name, place, [...allowedFunctions].join(', '));
    super(fault);
    this.fault = fault;
  }
}

function lengthFault(expression: string, charactersMax: number): Message | undefined {
  const characters = pointsIn(expression, expression.length);
  return characters > charactersMax ? messages.longExpression(characters, charactersMax) : undefined;
}

function expressionFault(
  environment: Environment,
  {
    expression,
    program,
    wanted,
    known,
    values,
  }: {
    expression: string;
    program: Program | Error;
    wanted: 'condition' | 'value';
    known: string;
    values: NonNullable<ScopeOptions['values']>;
  },
): Message | undefined {
  if (program instanceof NotAvailable) return program.fault;
  if (program instanceof Error) return messages.noExpression(summary(program, expression, known));
  const { run } = program;
  for (const { value, start } of literals(run.ast)) {
    const fault = literalFault(value, placeIn(expression, start));
    if (fault !== undefined) return fault;
  }
  const checked = run.check();
  if (!checked.valid) return messages.cannotWork(summary(checked.error, expression, known));
  // The library does not check the arguments of `has`.
  for (const [start, end] of argumentsOfHas(run.ast)) {
    const asked = expression.slice(start, end);
    const { error } = environment.parse(asked).check();
    const place = placeIn(expression, start + (error ? (offsetOf(error, asked) ?? 0) : 0));
    if (error)
      return messages.cannotWork(reasons.undeclared(missingIn(error.message) ?? asked, known, place));
  }
  const impossible = comparisonFault(program.compared, values, expression);
  if (impossible !== undefined) return impossible;
  const constant = constantFault(run.ast, values, expression, (part, field, value) => {
    const [variable = '', name = ''] = field.split('.');
    const program = sound(compile(environment, part));
    try {
      return program?.run({ [variable]: new Map([[name, value]]) });
    } catch {
      return undefined;
    }
  });
  if (constant !== undefined) return constant;
  const type = checked.type ?? 'dyn';
  if (type === 'dyn') return undefined;
  if (wanted === 'condition' && type !== 'bool') return messages.noCondition(type);
  if (wanted === 'value' && !['string', 'int', 'double', 'bool'].includes(type)) {
    return messages.noValue(type);
  }
  return undefined;
}

// The library accepts these literals.
function literalFault(literal: unknown, place: string): Message | undefined {
  if (typeof literal === 'bigint' && !isInt64(literal)) return messages.largeNumber(String(literal), place);
  const hasNul = typeof literal === 'string' && literal.includes('\0');
  return hasNul ? messages.nulCharacter(place) : undefined;
}

function isScalar(value: unknown): value is CelScalar {
  // The library does not check `/` and `-` of the smallest int.
  if (typeof value === 'bigint') return isInt64(value);
  return ['string', 'number', 'boolean'].includes(typeof value);
}
