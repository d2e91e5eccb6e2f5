import { z } from 'zod';
import { cleanText } from '../../text/clean-text.ts';
import { int, label } from '../../text/format-text.ts';
import { type Choice, type choiceRefusals, reportChoices } from './choices.ts';
import type { CheckedOf, OwnWords, Report, Say } from '../question-type.ts';
import { evaluationText } from './values.ts';

/** The value of own words in expressions and in figures. */
const otherValue = 'other';
const charsDefault = 250;

/** Lets the customer answer in own words. */
export const other = z
  .strictObject({ label, maxLength: int(1, 1000).meta({ default: charsDefault }) })
  .optional()
  .meta({
    id: 'other',
    description:
      'Lets customers answer in their own words, known as others.<id>. The answer is then "other".',
  });

type Other = z.infer<typeof other>;

/** A customer's own words in place of a choice. */
export type Own = { other: string };

type Rule = { choices: Choice[]; other?: Other };

export function isOwn(value: unknown): value is Own {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const [[name, text] = [], ...more] = Object.entries(value);
  return name === otherValue && typeof text === 'string' && more.length === 0;
}

export function ownWordsMax({ other: option }: Rule): number {
  return option === undefined ? 0 : (option.maxLength ?? charsDefault);
}

/** Returns the choices, and the label of own words as one more. */
export function choicesWithOther({ choices, other: option }: Rule): Choice[] {
  return option === undefined ? choices : [...choices, { value: otherValue, label: option.label }];
}

/** Reports the faults of choices, and of the label of own words. */
export function reportWithOther(rule: Rule, locale: string | undefined, report: Report): void {
  const at = `/choices/${rule.choices.length}`;
  reportChoices(choicesWithOther(rule), locale, (pointer, detail) =>
    report(pointer.startsWith(at) ? pointer.replace(at, '/other').replace('/value', '') : pointer, detail),
  );
}

export function checkOwn(rule: Rule, value: Own): CheckedOf<Own, keyof typeof choiceRefusals> {
  if (rule.other === undefined) return { reason: 'not-a-choice' };
  const words = cleanText(value.other, false);
  const max = ownWordsMax(rule);
  if (words === '') return { reason: 'empty' };
  return words.length > max ? { reason: 'too-long', max } : { value: { other: words } };
}

/** Returns a part of a value as expressions have it. */
export function nameOf(one: string | Own): string {
  return typeof one === 'string' ? one : otherValue;
}

/** Returns a part of a value as a text of the evaluation. */
export function textOf(one: string | Own): string {
  return evaluationText(typeof one === 'string' ? one : one.other);
}

export function ownWordsIn(value: string | Own | (string | Own)[]): OwnWords | undefined {
  const all = Array.isArray(value) ? value : [value];
  const choicesBefore = all.findIndex((one) => typeof one !== 'string');
  const own = all[choicesBefore];
  return typeof own === 'object' ? { text: own.other, choicesBefore } : undefined;
}

export function redactOwn(one: string | Own, remove: (text: string) => string): string | Own {
  return typeof one === 'string' ? one : { other: remove(one.other) };
}

export function describeOther({ other: option }: Rule, say: Say) {
  return option === undefined
    ? {}
    : { other: { label: say(option.label), maxLength: option.maxLength ?? charsDefault } };
}

export function countableWithOther(rule: Rule): string[] {
  return choicesWithOther(rule).map(({ value }) => value);
}

export function schemasOfOne({ choices, other: option }: Rule): object[] {
  const known = { type: 'string', enum: choices.map(({ value }) => value) };
  if (option === undefined) return [known];
  const properties = { other: { type: 'string', description: 'The own words of the customer' } };
  return [known, { type: 'object', properties, required: ['other'], additionalProperties: false }];
}
