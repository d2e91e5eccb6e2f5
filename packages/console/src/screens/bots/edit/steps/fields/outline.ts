// First, because the known values create schemas.
import '../../../../../no-evaluation.ts';
import { type KnownValue, knownValues } from '@parley/bot/editing/known-values';
import type { Texts } from '../../../../../texts/texts.tsx';
import { shortened, withoutPlaceholders, wordsOf } from '../../../../../ui/words.ts';
import { localeOf, type StepList, textIn, wordingOf } from './step-list.ts';

/** What other steps choose from, in words. */
export interface Outline {
  locale: string;
  steps: { id: string; label: string }[];
  /** With the beginnings of their questions. */
  values: (KnownValue & { label: string })[];
  /** The declared keys of the evaluation. */
  keys: string[];
}

/** Returns the words of a kind of steps. */
export function kindWords({ kinds }: Texts['steps'], step: Record<string, unknown>): string {
  const name = textIn(step, 'mode') || textIn(step, 'kind');
  return kinds[name] ?? wordsOf(name);
}

/** Returns the words of a field. A field that has none is named by its name. */
export function fieldWords({ fields }: Pick<Texts['steps'], 'fields'>, name: string): string {
  return Object.hasOwn(fields, name) ? (fields[name] ?? name) : wordsOf(name);
}

/** Returns the number of a step, and the beginning of its text, or its kind. */
export function stepLabel(t: Texts['steps'], step: Record<string, unknown>, index: number, locale: string) {
  const text = wordingOf(step['text'], locale).text.trim();
  return `${index + 1}. ${text === '' ? kindWords(t, step) : shortened(withoutPlaceholders(text))}`;
}

export function outlineOf(t: Texts['steps'], { definition, steps }: StepList): Outline {
  const locale = localeOf(definition);
  const { evaluation } = definition;
  const isDeclared = typeof evaluation === 'object' && evaluation !== null;
  return {
    locale,
    steps: steps.map((step, index) => ({
      id: textIn(step, 'id'),
      label: stepLabel(t, step, index, locale),
    })),
    values: knownValues(definition).map((value) => {
      // The rest of a text changes nothing here, and is what is typed most.
      const question = value.question && shortened(withoutPlaceholders(value.question));
      return { ...value, question, label: valueLabel(t, value.name, question) };
    }),
    keys: isDeclared ? Object.keys(evaluation) : [],
  };
}

/** Returns the outline. A part that says the same as before is the same object, and so is the whole. */
export function keepSame(before: Outline, next: Outline): Outline {
  const keep = <Name extends keyof Outline>(name: Name): Outline[Name] =>
    JSON.stringify(before[name]) === JSON.stringify(next[name]) ? before[name] : next[name];
  const kept: Outline = {
    locale: next.locale,
    steps: keep('steps'),
    values: keep('values'),
    keys: keep('keys'),
  };
  const isSame = Object.entries(kept).every(([name, part]) => before[name as keyof Outline] === part);
  return isSame ? before : kept;
}

function valueLabel(t: Texts['steps'], name: string, question: string | undefined): string {
  const [source, ...rest] = name.split('.');
  const field = rest.join('.');
  if (question !== undefined) {
    const words = question.trim() === '' ? field : question;
    return source === 'others' ? t.ownWordsOf(words) : t.answerOf(words);
  }
  const words = wordsOf(field);
  if (source === 'context') return t.contextValue(words);
  if (source === 'evaluation') return t.resultValue(words);
  return source === 'customer' ? t.customerValue(words) : t.modelValue(words);
}
