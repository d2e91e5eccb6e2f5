import { z } from 'zod';
import { label, symbol } from '../../text/format-text.ts';
import { translations } from '../../text/template.ts';
import type { DescribedChoice } from '../input.ts';
import type { Report, Say } from '../question-type.ts';
import type { RefusalTexts } from '../refusal-texts.ts';
import { repeatedLabels, reportLabel } from './labels.ts';
import { evaluationText } from './values.ts';
import { messages } from '../../text/messages.ts';

export const oneChoice = z.strictObject({ value: symbol, label });

export const choices = z.array(oneChoice).min(1).max(20).meta({ id: 'choices' });

export type Choice = z.infer<typeof oneChoice> & { exclusive?: boolean | undefined };

export const order = z
  .literal('random')
  .optional()
  .describe('Shows them in an order that is random for each interaction, and the same each time.');

export const choiceRefusals = {
  'not-a-choice': {
    en: 'Please choose from the options.',
    de: 'Bitte wählen Sie aus den Möglichkeiten.',
    fr: 'Veuillez choisir parmi les options.',
    es: 'Elija entre las opciones.',
    ar: 'يرجى الاختيار من بين الخيارات.',
  },
} satisfies Record<string, RefusalTexts>;

/** Reports values and labels that are repeated, and faulty labels. `name`: the option that has them. */
export function reportChoices(
  list: Choice[],
  locale: string | undefined,
  report: Report,
  name = 'choices',
): void {
  const values = new Set<string>();
  const repeated = repeatedLabels(
    list.map(({ label: shown }) => shown),
    locale,
  );
  list.forEach(({ value, label: shown }, index) => {
    const same = repeated.get(index);
    if (values.has(value)) report(`/${name}/${index}/value`, messages.sameValue(value));
    else if (same !== undefined) {
      report(`/${name}/${index}/label${same.inside}`, messages.sameLabel(same.where));
    }
    values.add(value);
    reportLabel(shown, locale, (inside, detail) => report(`/${name}/${index}/label${inside}`, detail));
  });
}

/** Returns the label of a value. A value that is no choice any more is its own label. */
export function sayChoice(list: Choice[], value: string, say: Say): string {
  return say(list.find((one) => one.value === value)?.label ?? value);
}

export function describeChoices(list: Choice[], say: Say): DescribedChoice[] {
  return list.map(({ value, label: shown, exclusive }) => ({
    value,
    label: say(shown),
    ...(exclusive === true && { exclusive }),
  }));
}

/** Returns choices in a random order, exclusive ones last, or as they are declared. */
export function inOrder<One extends Choice>(
  list: One[],
  wanted: z.infer<typeof order>,
  placeOf: (value: string) => string,
): One[] {
  if (wanted === undefined) return list;
  const placed = list.map((one) => ({
    one,
    place: `${one.exclusive === true ? 1 : 0}${placeOf(one.value)}`,
  }));
  return placed.toSorted((left, right) => (left.place < right.place ? -1 : 1)).map(({ one }) => one);
}

/** Returns the order of choices that an entry keeps; undefined if they are shown as they are declared. */
export function shownOrder(list: Choice[], wanted: z.infer<typeof order>): { order: string[] } | undefined {
  return wanted && { order: list.map(({ value }) => value) };
}

/** Returns a value and its labels in all languages. */
export function textsOfChoice(list: Choice[], value: string): string[] {
  const found = list.find((one) => one.value === value);
  return [evaluationText(value), ...(found === undefined ? [] : translations(found.label))];
}
