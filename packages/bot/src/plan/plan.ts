import { typeOf } from '../questions/types.ts';
import type { CelExpressions } from '../expressions/cel.ts';
import type { AskStep, BotDefinition, InputRule, LlmStep } from '../definition/format.ts';
import { type Effort, effortOf } from '../definition/effort.ts';
import { outputsOf } from './outputs.ts';
import { reachable, stepIndexes, type Transitions, outgoingTransitions } from '../definition/transitions.ts';
import { type PersonalNames, personalOf } from './personal.ts';
import { conversationExpressions } from './conversation-expressions.ts';
import { expressionsOf } from '../definition/expressions.ts';
import { teaserNamesCustomer } from './teaser-customer.ts';
import { runAtOnce, type Slices } from '../bounds/slices.ts';

/** Data derived from a definition, cached for the lifetime of that object. */
export type Plan = PersonalNames & {
  definition: BotDefinition;
  locale: string;
  indexes: Map<string, number>;
  transitions: Transitions[];
  expressions: CelExpressions;
  asks: Map<string, AskStep>;
  llms: Map<string, LlmStep>;
  /** The rule of each name under `answers`. */
  answers: Map<string, InputRule>;
  /** The rules of `answers` that take own words. */
  others: Map<string, InputRule>;
  /** Whether it shows something in a random order. */
  isShuffled: boolean;
  effort: Effort;
  teaserNamesCustomer: boolean;
};

const plans = new WeakMap<BotDefinition, Plan>();

/** Returns the plan of a valid definition. The first call compiles its expressions: `preparePlan`. */
export function planOf(definition: BotDefinition): Plan {
  return plans.get(definition) ?? runAtOnce(preparePlan(definition));
}

/** Makes the plan of a valid definition, unless it is made, in slices of a few milliseconds at most. */
export function* preparePlan(definition: BotDefinition): Slices<Plan> {
  const known = plans.get(definition);
  if (known !== undefined) return known;
  const { steps, context = [], evaluation = {} } = definition;
  const named = steps
    .flatMap(outputsOf)
    .flatMap(({ name, rule }) => (name === undefined ? [] : [{ name, rule }]));
  const others = named.flatMap(({ name, rule }): [string, InputRule][] =>
    typeOf(rule).ownWordsMax(rule) > 0 ? [[name, rule]] : [],
  );
  const expressions = conversationExpressions(
    named.map(({ name, rule }) => [name, typeOf(rule).celType(rule)]),
    context.map(({ name }) => name),
    others.map(([name]) => name),
    Object.keys(evaluation),
  );
  for (const { expression } of steps.flatMap(expressionsOf)) {
    expressions.compile(expression);
    yield;
  }
  const transitions = outgoingTransitions(steps);
  const plan = {
    definition,
    locale: definition.locale ?? 'en',
    indexes: stepIndexes(steps),
    transitions,
    expressions,
    asks: new Map(steps.flatMap((step) => (step.kind === 'ask' ? [[step.id, step] as const] : []))),
    llms: new Map(steps.flatMap((step) => (step.kind === 'llm' ? [[step.id, step] as const] : []))),
    answers: new Map(named.map(({ name, rule }) => [name, rule])),
    others: new Map(others),
    isShuffled: steps.some((step) => step.kind === 'ask' && 'order' in step.input),
    effort: effortOf(steps, transitions),
    teaserNamesCustomer: teaserNamesCustomer(steps, transitions),
    ...personalOf(definition, expressions),
  };
  plans.set(definition, plan);
  return plan;
}

/** Returns the progress, 0 to 1, of a conversation that waits at the step at `index`. It never falls. */
export function progressAt(plan: Plan, index: number, answeredCount: number): number {
  const { steps } = plan.definition;
  const left = [...reachable(plan.transitions, index)].filter((at) => {
    const step = steps[at];
    return step?.kind === 'ask' || (step?.kind === 'llm' && step.mode === 'chat');
  }).length;
  if (answeredCount + left === 0) return 0;
  return Math.round((answeredCount / (answeredCount + left)) * 1000) / 1000;
}

/** Returns the record's own value of a key, never one of its prototype. */
export function ownValue<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
