import { RE2JS } from 're2js';
import type { AnswerValue } from './answer-forms.ts';
import { boundDate, isDate, isTime } from '../text/calendar.ts';
import { foldCharacters, foldTyped, isBlank, typedCharsMax, withoutForeignEnd } from '../text/characters.ts';
import type { InputRule } from './input-rule.ts';
import type { Refusal } from './refusal.ts';

export type Checked = { value: AnswerValue } | Refusal;

/** The longest body of an entry, and of an answer, in UTF-16 units: a conversation has room for many. */
export const bodyCharsMax = 4000;
/** The largest program size of a compiled pattern: checking an answer takes time in proportion. */
export const patternSizeMax = 1000;
/**
 * The largest product of a pattern's program size and the longest answer: checking an answer takes at most about 8 ms.
 */
export const patternWorkMax = 150_000;
/** The most patterns of a definition: compiling one takes up to 5 ms. */
export const patternsMax = 50;

const decimalMax = 1e15;

/**
 * Checks a value in the form of contract section 7. Returns it in canonical form: text trimmed, e-mail addresses,
 * telephone numbers and web addresses normalised, choices in declared order. `now` (epoch seconds) decides what
 * `today` is.
 */
export function checkValue(rule: InputRule, value: unknown, now: number): Checked {
  switch (rule.type) {
    case 'text':
    case 'longText':
      return checkText(rule, value);
    case 'choice':
      return rule.choices.some((choice) => choice.value === value) && typeof value === 'string'
        ? { value }
        : { reason: 'not-a-choice' };
    case 'multiChoice':
      return checkSelection(rule, value);
    case 'nps':
    case 'rating':
      return checkScale(rule, value);
    case 'number':
      return checkNumber(rule, value);
    case 'yesNo':
      return typeof value === 'boolean' ? { value } : { reason: 'not-yes-or-no' };
    case 'date':
      return checkDate(rule, value, now);
    case 'time':
      return checkTime(rule, value);
    case 'email':
      return checkEmail(value);
    case 'phone':
      return checkPhone(value);
    case 'url':
      return checkUrl(value);
  }
}

/** The ends of a scale. */
export function scaleOf(rule: InputRule & { type: 'nps' | 'rating' }): { min: number; max: number } {
  return rule.type === 'nps' ? { min: 0, max: 10 } : { min: 1, max: rule.max ?? 5 };
}

/** Returns how many UTF-16 units a text answer may have. */
export function lengthMax(rule: InputRule & { type: 'text' | 'longText' }): number {
  return rule.maxLength ?? (rule.type === 'text' ? 500 : bodyCharsMax);
}

/**
 * Returns the stored form of the text: well-formed, without control characters and those that reorder the text around
 * them, trimmed, on one line unless `multiline`. Empty when no character is visible.
 */
export function cleanText(text: string, multiline: boolean): string {
  const lines = text.toWellFormed().replaceAll(/\r\n?/g, '\n');
  const printable = lines.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '');
  if (isBlank(printable)) return '';
  return (multiline ? printable : printable.replaceAll(/\s+/g, onOneLine)).trim();
}

// Matches a whole run of blanks: a pattern with blanks on both sides of a break would take quadratic time.
function onOneLine(blanks: string): string {
  return /[\n\t]/.test(blanks) ? ' ' : blanks;
}

function checkText(rule: InputRule & { type: 'text' | 'longText' }, value: unknown): Checked {
  if (typeof value !== 'string') return { reason: 'not-a-text' };
  const text = cleanText(value, rule.type === 'longText');
  const min = rule.minLength ?? 1;
  const max = lengthMax(rule);
  if (text === '') return { reason: 'empty' };
  if (text.length < min) return { reason: 'too-short', min };
  if (text.length > max) return { reason: 'too-long', max };
  if (rule.pattern === undefined) return { value: text };
  const pattern = RE2JS.compile(rule.pattern);
  // A pattern may want ASCII of a customer whose keyboard writes full-width forms.
  const fitting = [text, foldCharacters(text)].find(
    (form) => form.length >= min && form.length <= max && pattern.matches(form),
  );
  return fitting === undefined ? { reason: 'wrong-format' } : { value: fitting };
}

function checkSelection(rule: InputRule & { type: 'multiChoice' }, value: unknown): Checked {
  const known = new Set(rule.choices.map((choice) => choice.value));
  if (!Array.isArray(value) || !value.every((one) => known.has(one))) {
    return { reason: 'not-a-choice' };
  }
  const chosen = new Set<unknown>(value);
  if (chosen.size < value.length) return { reason: 'chosen-twice' };
  const min = rule.minSelections ?? 1;
  const max = rule.maxSelections ?? known.size;
  if (chosen.size < min) return { reason: 'too-few', min };
  if (chosen.size > max) return { reason: 'too-many', max };
  return { value: [...known].filter((one) => chosen.has(one)) };
}

function checkScale(rule: InputRule & { type: 'nps' | 'rating' }, value: unknown): Checked {
  const { min, max } = scaleOf(rule);
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)
    return { value: value + 0 };
  return { reason: 'not-on-the-scale', min, max };
}

function checkNumber(rule: InputRule & { type: 'number' }, value: unknown): Checked {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { reason: 'not-a-number' };
  if (rule.integer === true && !Number.isInteger(value)) {
    return { reason: 'not-a-whole-number' };
  }
  const min = rule.min ?? -decimalMax;
  const max = rule.max ?? decimalMax;
  if (value < min) return { reason: 'too-small', min };
  if (value > max) return { reason: 'too-large', max };
  return { value: value + 0 }; // turns -0 into 0
}

function checkDate(rule: InputRule & { type: 'date' | 'time' }, value: unknown, now: number): Checked {
  if (typeof value !== 'string' || !isDate(value)) return { reason: 'not-a-date' };
  return checkPeriod(value, rule.min && boundDate(rule.min, now), rule.max && boundDate(rule.max, now));
}

function checkTime(rule: InputRule & { type: 'date' | 'time' }, value: unknown): Checked {
  if (typeof value !== 'string' || !isTime(value)) return { reason: 'not-a-time' };
  return checkPeriod(value, rule.min, rule.max);
}

function checkPeriod(value: string, min: string | undefined, max: string | undefined): Checked {
  if (min !== undefined && value < min) return { reason: 'too-early', min };
  if (max !== undefined && value > max) return { reason: 'too-late', max };
  return { value };
}

function checkEmail(value: unknown): Checked {
  const text = typeof value === 'string' ? foldTyped(cleanText(value, false)).replace(/\.$/, '') : '';
  const match = /^([^\s@<>()[\]",;:\\]+)@([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)$/u.exec(text);
  const [, local = '', domain = ''] = match ?? [];
  if (match === null || text.length > 320 || /^\.|\.\.|\.$/.test(local) || /(^|\.)-|-(\.|$)/.test(domain)) {
    return { reason: 'not-an-email' };
  }
  return { value: `${local}@${domain.toLowerCase()}` };
}

function checkPhone(value: unknown): Checked {
  const text = typeof value === 'string' ? foldTyped(cleanText(value, false)) : '';
  const international = text.replace(/^00/, '+').replace(/^(\+.*)\(0\)/, '$1');
  const digits = international.replaceAll(/[ ().\-/]/g, '');
  if (!/^\+?\d{5,15}$/.test(digits)) return { reason: 'not-a-phone' };
  return { value: digits };
}

function checkUrl(value: unknown): Checked {
  const text = typeof value === 'string' ? foldAddress(cleanText(value, false)) : '';
  const notUrl = { reason: 'not-a-url' } as const;
  if (text === '' || /\s/.test(text)) return notUrl;
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(written)) return notUrl;
  const address = new URL(written);
  if (!/^https?:$/.test(address.protocol) || address.username !== '' || address.password !== '') {
    return notUrl;
  }
  const labels = address.hostname.replace(/\.$/, '').split('.');
  if (labels.length < 2 || labels.includes('') || address.href.length > typedCharsMax) return notUrl;
  return { value: address.href };
}

/**
 * Folds a web address up to its path, in which other characters than the ASCII ones have a meaning. At its end, those
 * that end a sentence do not belong to it.
 */
function foldAddress(text: string): string {
  if (text.length > typedCharsMax) return '';
  const shown = text.replaceAll(/[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '');
  const visible = withoutForeignEnd(shown.trim()).trim();
  const [start = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*/i.exec(visible) ?? [];
  return foldTyped(start) + visible.slice(start.length);
}
