import type { Report } from '../question-type.ts';
import type { RefusalTexts } from '../refusal-texts.ts';
import { messages } from '../../text/messages.ts';

type Bound = number | string;

/** The texts of `checkPeriod`. */
export const periodRefusals = {
  'too-early': {
    en: 'Please choose {min} or later.',
    de: 'Bitte wählen Sie {min} oder später.',
    fr: 'Veuillez choisir à partir de : {min}.',
    es: 'Elija a partir de: {min}.',
    ar: 'يرجى اختيار {min} أو بعد ذلك.',
  },
  'too-late': {
    en: 'Please choose {max} or earlier.',
    de: 'Bitte wählen Sie {max} oder früher.',
    fr: 'Veuillez choisir au plus tard : {max}.',
    es: 'Elija como muy tarde: {max}.',
    ar: 'يرجى اختيار {max} أو قبل ذلك.',
  },
} satisfies Record<string, RefusalTexts>;

export function checkPeriod(
  value: string,
  min: string | undefined,
  max: string | undefined,
): { value: string } | { reason: keyof typeof periodRefusals; min?: string; max?: string } {
  if (min !== undefined && value < min) return { reason: 'too-early', min };
  if (max !== undefined && value > max) return { reason: 'too-late', max };
  return { value };
}

/** Reports a lower bound that is above the upper one, at the lower one. */
export function reportOrder<One extends Bound>(
  low: One | undefined,
  high: One | undefined,
  lowName: string,
  highName: string,
  report: Report,
): void {
  if (low !== undefined && high !== undefined && low > high) {
    report(`/${lowName}`, messages.notOrdered(highName, low, high));
  }
}

/** Returns bounds in words: `2 to 5`, `at least 2`, `at most 5`, or nothing without a bound. */
export function sayBounds(min: Bound | undefined, max: Bound | undefined): string {
  if (min !== undefined && max !== undefined) return min === max ? String(min) : `${min} to ${max}`;
  if (min !== undefined) return `at least ${min}`;
  return max === undefined ? '' : `at most ${max}`;
}

export function sayWithBounds(form: string, min: Bound | undefined, max: Bound | undefined): string {
  return [form, sayBounds(min, max)].filter(Boolean).join(', ');
}

export function givenEntries<Value>(entries: Record<string, Value | undefined>): Record<string, Value> {
  const found: Record<string, Value> = {};
  for (const [name, value] of Object.entries(entries)) if (value !== undefined) found[name] = value;
  return found;
}
