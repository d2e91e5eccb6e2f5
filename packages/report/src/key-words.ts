import { fieldsOf, listOf, stepsOf } from '@parley/bot/changes';
import { localText } from '@parley/bot/template';

type LocalText = Parameters<typeof localText>[0];

/** What an author has written about a key of the evaluation. */
export interface KeyWords {
  /** The questions whose answers the key keeps, in their order, with their placeholders. */
  questions: readonly string[];
  /** By value: the labels of choices, rows and columns, of yes and no, and of own words (`other`). */
  labels: ReadonlyMap<string, string>;
}

/**
 * Returns the words of the keys that questions write, in a language. Keys that are computed, or found by a model, have
 * none. The definition may have faults.
 */
export function keyWords(definition: unknown, language: string): ReadonlyMap<string, KeyWords> {
  const { locale } = fieldsOf(definition);
  const say = (text: unknown): string | undefined =>
    isLocalText(text) ? localText(text, language, typeof locale === 'string' ? locale : 'en') : undefined;
  const found = new Map<string, KeyWords>();
  for (const { evaluation: key, text, input } of stepsOf(definition).values()) {
    const question = say(text);
    if (typeof key !== 'string' || question === undefined) continue;
    const before = found.get(key);
    const labels = new Map([...labelsOf(input, say), ...(before?.labels ?? [])]);
    found.set(key, { questions: [...new Set([...(before?.questions ?? []), question])], labels });
  }
  return found;
}

function isLocalText(text: unknown): text is LocalText {
  if (typeof text === 'string') return true;
  const wordings = Object.values(fieldsOf(text));
  return wordings.length > 0 && wordings.every((wording) => typeof wording === 'string');
}

/** Returns the labels of all options that have some, whatever the type. */
function labelsOf(input: unknown, say: (text: unknown) => string | undefined): [string, string][] {
  const { choices, rows, columns, other, labels } = fieldsOf(input);
  const { yes, no } = fieldsOf(labels);
  const values = [choices, rows, columns].flatMap(listOf).map(fieldsOf);
  const labelled = [
    ...values.map(({ value, label }) => [value, label]),
    ['other', fieldsOf(other)['label']],
    ['yes', yes],
    ['no', no],
  ];
  return labelled.flatMap(([value, label]): [string, string][] => {
    const words = say(label);
    return words === undefined ? [] : [[String(value), words]];
  });
}
