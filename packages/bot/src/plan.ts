import { celType } from './answer-forms.ts';
import { type CelScope, type CelType, celScope } from './cel.ts';
import type { AskStep, BotDefinition } from './format.ts';
import { reachable, stepIndexes, type Ways, waysOn } from './paths.ts';

/** What is derived from a definition once, and kept as long as that very object is. */
export type Plan = {
  definition: BotDefinition;
  locale: string;
  indexes: Map<string, number>;
  ways: Ways[];
  scope: CelScope;
  asks: Map<string, AskStep>;
  /** Ids of the asks whose answers are personal: marked so, or kept under a key that is. */
  personalAnswers: Set<string>;
  /** Evaluation keys whose values are personal: marked so, or written by an ask that is. */
  personalKeys: Set<string>;
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

/** How much of the talk is done, 0 to 1, while the question at `index` waits: it never falls. */
export function progressAt(plan: Plan, index: number, answeredCount: number): number {
  const { steps } = plan.definition;
  const left = [...reachable(plan.ways, index)].filter((at) => steps[at]?.kind === 'ask').length;
  return Math.round((answeredCount / (answeredCount + left)) * 1000) / 1000;
}

/** The value of a key that the record itself has, never one of its prototype. */
export function own<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function makePlan(definition: BotDefinition): Plan {
  const { steps, context = [], evaluation = {} } = definition;
  const asks = new Map(steps.flatMap((step) => (step.kind === 'ask' ? [[step.id, step] as const] : [])));
  const markedKeys = Object.keys(evaluation).filter((key) => evaluation[key]?.pii === true);
  const personal = [...asks.values()].filter(
    (ask) => ask.pii === true || (ask.evaluation !== undefined && markedKeys.includes(ask.evaluation)),
  );
  const string: CelType = 'string';
  return {
    definition,
    locale: definition.locale ?? 'en',
    indexes: stepIndexes(steps),
    ways: waysOn(steps),
    scope: celScope({
      answers: Object.fromEntries([...asks].map(([id, ask]) => [id, celType(ask.input)])),
      context: Object.fromEntries(context.map(({ name }) => [name, string])),
      customer: { id: string, firstName: string, lastName: string, email: string },
    }),
    asks,
    personalAnswers: new Set(personal.map((ask) => ask.id)),
    personalKeys: new Set([...markedKeys, ...personal.flatMap((ask) => ask.evaluation ?? [])]),
  };
}
