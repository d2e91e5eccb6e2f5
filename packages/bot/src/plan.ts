import { celType } from './answer-forms.ts';
import type { CelScope } from './cel.ts';
import type { AskStep, BotDefinition, InputRule, LlmStep } from './format.ts';
import { outputs } from './outputs.ts';
import { reachable, stepIndexes, type Ways, waysOn } from './paths.ts';
import { type Personal, personalOf } from './personal.ts';
import { talkScope } from './talk-scope.ts';

/** What is derived from a definition once, and kept as long as that very object is. */
export type Plan = Personal & {
  definition: BotDefinition;
  locale: string;
  indexes: Map<string, number>;
  ways: Ways[];
  scope: CelScope;
  asks: Map<string, AskStep>;
  llms: Map<string, LlmStep>;
  /** What `answers` may hold, by name. */
  answers: Map<string, InputRule>;
};

const plans = new WeakMap<BotDefinition, Plan>();

/** The plan of a valid definition. */
export function planOf(definition: BotDefinition): Plan {
  let plan = plans.get(definition);
  if (plan === undefined) {
    plan = makePlan(definition);
    plans.set(definition, plan);
  }
  return plan;
}

/** How much of the talk is done, 0 to 1, while it waits at the step at `index`: it never falls. */
export function progressAt(plan: Plan, index: number, answeredCount: number): number {
  const { steps } = plan.definition;
  const left = [...reachable(plan.ways, index)].filter((at) => {
    const step = steps[at];
    return step?.kind === 'ask' || (step?.kind === 'llm' && step.mode === 'chat');
  }).length;
  if (answeredCount + left === 0) return 0;
  return Math.round((answeredCount / (answeredCount + left)) * 1000) / 1000;
}

/** The value of a key that the record itself has, never one of its prototype. */
export function own<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function makePlan(definition: BotDefinition): Plan {
  const { steps, context = [] } = definition;
  const named = steps
    .flatMap(outputs)
    .flatMap(({ name, rule }) => (name === undefined ? [] : [{ name, rule }]));
  const scope = talkScope(
    named.map(({ name, rule }) => [name, celType(rule)]),
    context.map(({ name }) => name),
  );
  return {
    definition,
    locale: definition.locale ?? 'en',
    indexes: stepIndexes(steps),
    ways: waysOn(steps),
    scope,
    asks: new Map(steps.flatMap((step) => (step.kind === 'ask' ? [[step.id, step] as const] : []))),
    llms: new Map(steps.flatMap((step) => (step.kind === 'llm' ? [[step.id, step] as const] : []))),
    answers: new Map(named.map(({ name, rule }) => [name, rule])),
    ...personalOf(definition, scope),
  };
}
