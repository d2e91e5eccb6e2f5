import { fieldsOf, listOf, stepsOf } from '@parley/bot/changes';
import { localText } from '@parley/bot/template';

type LocalText = Parameters<typeof localText>[0];
type Say = (text: unknown) => string | undefined;

/** What an author has written about a key of the evaluation. */
export interface KeyWords {
  /** The questions whose answers the key keeps, in their order, with their placeholders. */
  questions: readonly string[];
  /** By value: the labels of choices, rows and columns, of yes and no, and of own words (`other`). */
  labels: ReadonlyMap<string, string>;
}

/**
 * Returns the words of the keys of the evaluation, in a language. A key that a model finds, or that a `set` step passes
 * on from an answer, has labels and no question; one that is computed otherwise has no words. The definition may have
 * faults.
 */
export function keyWords(definition: unknown, language: string): ReadonlyMap<string, KeyWords> {
  const { locale } = fieldsOf(definition);
  const say: Say = (text) =>
    isLocalText(text) ? localText(text, language, typeof locale === 'string' ? locale : 'en') : undefined;
  const steps = [...stepsOf(definition).values()];
  const rules = new Map(steps.flatMap(rulesOf));
  const found = new Map<string, KeyWords>();
  const add = (key: string, question: string | undefined, inputs: readonly unknown[]): void => {
    const { questions = [], labels = [] } = found.get(key) ?? {};
    const all = new Map([...inputs.flatMap((input) => labelsOf(input, say)), ...labels]);
    const asked = question === undefined ? questions : [...new Set([...questions, question])];
    if (asked.length + all.size > 0) found.set(key, { questions: asked, labels: all });
  };
  for (const { evaluation, text, input, fields } of steps) {
    if (typeof evaluation === 'string') {
      const question = say(text);
      if (question !== undefined) add(evaluation, question, [input]);
    }
    for (const [key, source] of Object.entries(fieldsOf(evaluation))) {
      if (typeof source !== 'string') continue;
      const given = fieldsOf(fields)[source];
      add(
        key,
        undefined,
        given ? [fieldsOf(given)['input']] : passedOn(source).map((name) => rules.get(name)),
      );
    }
  }
  return found;
}

/** Returns what the answers of a step may be, by their names in expressions. */
function rulesOf({ id, input, saveAs, fields }: Record<string, unknown>): [string, unknown][] {
  const found = Object.entries(fieldsOf(fields)).map(([field, given]): [string, unknown] => [
    `${String(saveAs)}.${field}`,
    fieldsOf(given)['input'],
  ]);
  return input === undefined ? found : [[String(id), input], ...found];
}

/** Returns the names of the answers that an expression may result in, such as `a` of `x ? answers.a : 'b'`. */
function passedOn(expression: string): string[] {
  const withoutTexts = expression.replaceAll(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, "''");
  const results = withoutTexts.matchAll(/(?:^|[?:])[\s(]*answers\.(\w+(?:\.\w+)?)[\s)]*(?=$|:)/g);
  return Array.from(results, ([, name = '']) => name);
}

function isLocalText(text: unknown): text is LocalText {
  if (typeof text === 'string') return true;
  const wordings = Object.values(fieldsOf(text));
  return wordings.length > 0 && wordings.every((wording) => typeof wording === 'string');
}

/** Returns the labels of all options that have some, whatever the type. */
function labelsOf(input: unknown, say: Say): [string, string][] {
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
