import { scaleOf } from '../questions/check-value.ts';
import type { BotDefinition, InputRule } from '../definition/format.ts';
import { outputs } from '../plan/outputs.ts';
import { planOf } from '../plan/plan.ts';
import { localText } from '../text/template.ts';

/** How the values of an evaluation key can be counted. `text`: only whether there is one. */
export type ValueKind = 'nps' | 'rating' | 'number' | 'choice' | 'yesNo' | 'multiChoice' | 'text';

/** A question of a bot. */
export type QuestionStep = {
  id: string;
  kind: 'ask' | 'llm';
  /** In the bot's own language; null for a chat of a model. */
  text: string | null;
};

/** An evaluation key of a bot. */
export type EvaluationKey = {
  key: string;
  kind: ValueKind;
  /** All values that it may have, in order; none for numbers and texts. */
  values: string[];
};

/** What a bot asks, and what its evaluation has. */
export type Questions = { steps: QuestionStep[]; evaluation: EvaluationKey[] };

const known = new WeakMap<BotDefinition, Questions>();

/**
 * Returns the questions and evaluation keys of a valid definition, in its order. Keys that are personal, computed, or
 * written by inputs of several types are texts.
 */
export function questionsOf(definition: BotDefinition): Questions {
  const found = known.get(definition) ?? findQuestions(definition);
  known.set(definition, found);
  return found;
}

function findQuestions(definition: BotDefinition): Questions {
  const { locale, personalKeys } = planOf(definition);
  const { steps, evaluation = {} } = definition;
  const rules = new Map<string, InputRule[]>();
  for (const { keys, rule } of steps.flatMap(outputs)) {
    for (const key of keys) rules.set(key, [...(rules.get(key) ?? []), rule]);
  }
  const isComputed = (key: string): boolean =>
    steps.some((step) => step.kind === 'set' && Object.hasOwn(step.evaluation, key));
  const isUncounted = (key: string): boolean => personalKeys.has(key) || isComputed(key);
  return {
    steps: steps.flatMap((step): QuestionStep[] => {
      const { id } = step;
      if (step.kind === 'ask') return [{ id, kind: step.kind, text: localText(step.text, locale, locale) }];
      return step.kind === 'llm' && step.mode === 'chat' ? [{ id, kind: step.kind, text: null }] : [];
    }),
    evaluation: Object.keys(evaluation).map((key) => ({
      key,
      ...countingOf(isUncounted(key) ? [] : (rules.get(key) ?? [])),
    })),
  };
}

/** Returns how values can be counted that inputs of these rules write. */
function countingOf([first, ...others]: readonly InputRule[]): Omit<EvaluationKey, 'key'> {
  const counting = first && countingOfRule(first);
  if (!counting || others.some(({ type }) => type !== first.type)) return { kind: 'text', values: [] };
  const values = [counting, ...others.flatMap((rule) => countingOfRule(rule) ?? [])].flatMap(
    (one) => one.values,
  );
  return { kind: counting.kind, values: [...new Set(values)] };
}

function countingOfRule(rule: InputRule): Omit<EvaluationKey, 'key'> | undefined {
  switch (rule.type) {
    case 'nps':
    case 'rating': {
      const { min, max } = scaleOf(rule);
      return { kind: rule.type, values: Array.from({ length: max - min + 1 }, (_, at) => String(min + at)) };
    }
    case 'choice':
    case 'multiChoice':
      return { kind: rule.type, values: rule.choices.map(({ value }) => value) };
    case 'yesNo':
      return { kind: rule.type, values: ['yes', 'no'] };
    case 'number':
      return { kind: rule.type, values: [] };
    default:
      return undefined;
  }
}
