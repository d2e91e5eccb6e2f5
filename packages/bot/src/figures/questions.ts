import type { BotDefinition, InputRule, Step } from '../definition/format.ts';
import { type CountedName, countedNameOf, typeNamed, typeOf } from '../questions/types.ts';
import { outputsOf } from '../plan/outputs.ts';
import { type Plan, planOf } from '../plan/plan.ts';
import { evaluationText } from '../questions/parts/values.ts';
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
 * Returns the questions and evaluation keys of a valid definition, in its order. Keys that are personal, computed with
 * any texts, or written in several types are texts.
 */
export function questionsOf(definition: BotDefinition): Questions {
  const found = known.get(definition) ?? findQuestions(definition);
  known.set(definition, found);
  return found;
}

function findQuestions(definition: BotDefinition): Questions {
  const plan = planOf(definition);
  const { locale, personalKeys } = plan;
  const { steps, evaluation = {} } = definition;
  const countings = new Map<string, Counting[]>();
  const add = (key: string, counting: Counting): void =>
    void countings.set(key, [...(countings.get(key) ?? []), counting]);
  const isComputed = (key: string): boolean =>
    steps.some((step) => step.kind === 'set' && Object.hasOwn(step.evaluation, key));
  for (const { keys, rule } of steps.flatMap(outputsOf)) {
    // A computed value may replace own words, which are counted in another way.
    const mayBeReplaced = typeOf(rule).ownWordsMax(rule) > 0;
    for (const key of keys) add(key, mayBeReplaced && isComputed(key) ? uncounted : countingOfRule(rule));
  }
  for (const step of steps) {
    if (step.kind !== 'set') continue;
    for (const [key, expression] of Object.entries(step.evaluation))
      add(key, countingOfExpression(plan, expression));
  }
  return {
    steps: steps.flatMap((step): QuestionStep[] => {
      const { id } = step;
      if (step.kind === 'ask') return [{ id, kind: step.kind, text: localText(step.text, locale, locale) }];
      return step.kind === 'llm' && step.mode === 'chat' ? [{ id, kind: step.kind, text: null }] : [];
    }),
    evaluation: Object.keys(evaluation).map((key) => ({
      key,
      ...countingOf(personalKeys.has(key) ? [] : (countings.get(key) ?? [])),
    })),
  };
}

type Counting = Omit<EvaluationKey, 'key'>;

const uncounted: Counting = { kind: 'text', values: [] };

/** Returns how values can be counted that are written in these ways. */
function countingOf([first = uncounted, ...others]: readonly Counting[]): Counting {
  if (others.some(({ kind }) => kind !== first.kind)) return uncounted;
  return { kind: first.kind, values: [...new Set([first, ...others].flatMap(({ values }) => values))] };
}

function countingOfRule(rule: InputRule): Counting {
  const kind = countedNameOf(rule);
  return kind === undefined ? uncounted : { kind, values: typeOf(rule).countableValues(rule) };
}

/** Numbers and bools can be counted, and texts if the author has written them all: not what a customer may type. */
function countingOfExpression({ expressions, answers }: Plan, expression: string): Counting {
  const { type, results } = expressions.results(expression);
  if (type === 'bool') return countingOfRule({ type: 'yesNo' });
  if (type === 'int' || type === 'double') return countingOfRule({ type: 'number' });
  if (type !== 'string') return uncounted;
  const values = results.map((result): readonly string[] => {
    if (result === 'any') return [];
    if ('text' in result) return [evaluationText(result.text)];
    const rule = answers.get(result.field.replace(/^answers\./, ''));
    return rule && result.field.startsWith('answers.') ? typeOf(rule).countableValues(rule) : [];
  });
  if (values.some(({ length }) => length === 0)) return uncounted;
  return { kind: 'choice', values: [...new Set(values.flat())] };
}

/** A key of the evaluation whose values have several columns in an export. */
export type KeyColumns = { key: string; type: InputRule['type']; columns: string[] };

/** Returns the keys of several columns. A key that another type writes, too, has one column. */
export function keyColumnsOf(steps: readonly Step[]): KeyColumns[] {
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
