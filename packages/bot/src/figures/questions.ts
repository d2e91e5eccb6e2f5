import type { BotDefinition, InputRule, Step } from '../definition/format.ts';
import { type CountedName, countedNameOf, typeNamed, typeOf } from '../questions/types.ts';
import { outputsOf } from '../plan/outputs.ts';
import { planOf } from '../plan/plan.ts';
import { localText } from '../text/template.ts';

/** How the values of an evaluation key can be counted. `text`: only whether there is one. */
export type ValueKind = CountedName | 'text';

export type QuestionStep = {
  id: string;
  kind: 'ask' | 'llm';
  /** In the bot's own language; null for a chat of a model. */
  text: string | null;
};

export type EvaluationKey = {
  key: string;
  kind: ValueKind;
  /** All values that it may have, in order; none for numbers and texts. */
  values: string[];
};

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
  for (const { keys, rule } of steps.flatMap(outputsOf)) {
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
  const kind = countedNameOf(rule);
  return kind && { kind, values: typeOf(rule).countableValues(rule) };
}

/** A key of the evaluation whose values have several columns in an export. */
export type KeyColumns = { key: string; type: InputRule['type']; columns: string[] };

/** Returns the keys of several columns. A key that another type writes, too, has one column. */
export function columnsOf(steps: readonly Step[]): KeyColumns[] {
  const found = new Map<string, KeyColumns | undefined>();
  for (const { keys, rule } of steps.flatMap(outputsOf)) {
    const { type } = rule;
    const columns = typeOf(rule).columns(rule);
    for (const key of keys) {
      const before = found.get(key);
      const isOther = found.has(key) && before?.type !== type;
      const all = new Set([...(before?.columns ?? []), ...columns]);
      found.set(key, isOther || all.size === 0 ? undefined : { key, type, columns: [...all] });
    }
  }
  return [...found.values()].filter((one) => one !== undefined);
}

export type FactKind = Capitalize<CountedName> | 'KIND_UNSPECIFIED';

/** Returns the kind as the facts of a conversation have it. A name that their protocol lacks does not compile there. */
export function factKindOf(kind: ValueKind): FactKind {
  return kind === 'text'
    ? 'KIND_UNSPECIFIED'
    : (`${kind.charAt(0).toUpperCase()}${kind.slice(1)}` as FactKind);
}

/** Null for a text. */
export function figureOfKind(kind: ValueKind): ReturnType<typeof typeNamed>['figure'] {
  return kind === 'text' ? null : typeNamed(kind).figure;
}
