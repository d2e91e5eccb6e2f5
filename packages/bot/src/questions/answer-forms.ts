import type { CelType, CelValue } from '../expressions/cel-types.ts';
import type { LocalText } from '../text/format-text.ts';
import type { InputRule } from './input-rule.ts';
import { localText } from '../text/template.ts';

/** A stored answer: text, dates and choices as strings, several choices as their values in declared order. */
export type AnswerValue = string | number | boolean | string[];

/** The default labels of yes and no. */
export const yesNoLabels = { yes: 'Yes', no: 'No' };

/** Returns the answer in words: labels for choices and for yes and no. */
export function answerBody(rule: InputRule, value: AnswerValue, locale: string, ownLocale: string): string {
  const say = (text: LocalText) => localText(text, locale, ownLocale);
  if (rule.type === 'choice' || rule.type === 'multiChoice') {
    const values = Array.isArray(value) ? value : [value];
    const labels = values.map((one) =>
      say(rule.choices.find((choice) => choice.value === one)?.label ?? String(one)),
    );
    return labels.join(', ');
  }
  if (rule.type === 'yesNo') return say((rule.labels ?? yesNoLabels)[value === true ? 'yes' : 'no']);
  return evaluationText(value);
}

/**
 * Returns the answer as a text of the evaluation: `yes`, `9`, `2.5`, values joined by commas, or the text itself.
 * Well-formed Unicode without U+0000, since Postgres rejects others.
 */
export function evaluationText(value: AnswerValue | bigint): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return decimal(value);
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return text.toWellFormed().replaceAll('\0', '');
}

/** Returns the type in expressions. */
export function celType(rule: InputRule): CelType {
  switch (rule.type) {
    case 'nps':
    case 'rating':
      return 'int';
    case 'number':
      return rule.integer === true ? 'int' : 'double';
    case 'yesNo':
      return 'bool';
    case 'multiChoice':
      return 'list<string>';
    default:
      return 'string';
  }
}

/** Returns the value in expressions. */
export function celValue(rule: InputRule, value: AnswerValue): CelValue {
  return typeof value === 'number' && celType(rule) === 'int' ? BigInt(value) : value;
}

// The shortest decimal notation, without an exponent.
function decimal(value: number): string {
  const text = String(value);
  const small = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (small !== null) {
    const [, sign, digit, digits = '', exponent] = small;
    return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digit}${digits}`;
  }
  return text.includes('e') ? BigInt(value).toString() : text;
}
