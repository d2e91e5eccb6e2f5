import type { CelType, CelValue } from './cel.ts';
import type { InputRule, LocalText } from './format.ts';
import { localText } from './template.ts';

/** An answer as it is kept: text, dates and choices as strings, several choices as their values in declared order. */
export type AnswerValue = string | number | boolean | string[];

/** The words for yes and no where the definition has none. */
export const yesNoLabels = { yes: 'Yes', no: 'No' };

/** The answer as the customer would say it: labels for choices and for yes and no. */
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
 * The answer as the evaluation holds it: `yes`, `9`, `2.5`, values joined by commas, or the text itself. Well-formed
 * Unicode without U+0000, whatever an expression has made: Postgres and others who read JSON take no other.
 */
export function evaluationText(value: AnswerValue | bigint): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return decimal(value);
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return text.toWellFormed().replaceAll('\0', '');
}

/** The type that expressions see. */
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

/** The value that expressions see. */
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
