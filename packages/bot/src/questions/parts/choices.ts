import { z } from 'zod';
import { label, symbol } from '../../text/format-text.ts';
import { translations } from '../../text/template.ts';
import type { Report, Say } from '../question-type.ts';
import type { RefusalTexts } from '../refusal-texts.ts';
import { repeatedLabels, reportLabel } from './labels.ts';
import { evaluationText } from './values.ts';

const choice = z.strictObject({ value: symbol, label });

export const choices = z.array(choice).min(1).max(20).meta({ id: 'choices' });

export type Choice = z.infer<typeof choice>;

export const choiceRefusals = {
  'not-a-choice': {
    en: 'Please choose from the options.',
    de: 'Bitte wählen Sie aus den Möglichkeiten.',
    fr: 'Veuillez choisir parmi les options.',
    es: 'Elija entre las opciones.',
    ar: 'يرجى الاختيار من بين الخيارات.',
  },
} satisfies Record<string, RefusalTexts>;

/** Reports values and labels that are repeated, and faulty labels. */
export function reportChoices(list: Choice[], locale: string | undefined, report: Report): void {
  const values = new Set<string>();
  const repeated = repeatedLabels(
    list.map(({ label: shown }) => shown),
    locale,
  );
  list.forEach(({ value, label: shown }, index) => {
    const same = repeated.get(index);
    if (values.has(value)) report(`/choices/${index}/value`, `The value "${value}" is repeated.`);
    else if (same !== undefined) {
      report(`/choices/${index}/label${same.inside}`, `Another choice has the same label${same.where}.`);
    }
    values.add(value);
    reportLabel(shown, locale, (inside, detail) => report(`/choices/${index}/label${inside}`, detail));
  });
}

/** Returns the label of a value. A value that is no choice any more is its own label. */
export function sayChoice(list: Choice[], value: string, say: Say): string {
  return say(list.find((one) => one.value === value)?.label ?? value);
}

export function describeChoices(list: Choice[], say: Say): { value: string; label: string }[] {
  return list.map(({ value, label: shown }) => ({ value, label: say(shown) }));
}

/** Returns a value and its labels in all languages. */
export function textsOfChoice(list: Choice[], value: string): string[] {
  const found = list.find((one) => one.value === value);
  return [evaluationText(value), ...(found === undefined ? [] : translations(found.label))];
}
