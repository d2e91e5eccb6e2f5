import { RE2JS } from 're2js';
import type { AnswerValue } from './answer-forms.ts';
import { boundDate, isDate, isTime } from './calendar.ts';
import { foldDigits, isBlank } from './characters.ts';
import type { InputRule } from './format.ts';

/** Why an answer cannot be taken: a stable slug, and a sentence for the customer. */
export type Refusal = { reason: string; detail: string };
export type Checked = { value: AnswerValue } | Refusal;

/** The longest body of an entry, and so of an answer, in UTF-16 units. */
export const bodyCharsMax = 4000;
/** The programme size that a pattern may compile to. */
export const patternSizeMax = 1000;

const decimalMax = 1e15;

/**
 * Whether a value in the form of contract section 7 answers the question; the value in its canonical form: text
 * trimmed, e-mail addresses, telephone numbers and web addresses normalised, choices in declared order.
 * `now` (epoch seconds) decides what `today` is.
 */
export function checkValue(rule: InputRule, value: unknown, now: number): Checked {
  switch (rule.type) {
    case 'text':
    case 'longText':
      return checkText(rule, value);
    case 'choice':
      return rule.choices.some((choice) => choice.value === value) && typeof value === 'string'
        ? { value }
        : refuse('not-a-choice', 'Please choose one of the options.');
    case 'multiChoice':
      return checkSelection(rule, value);
    case 'nps':
    case 'rating':
      return checkScale(rule, value);
    case 'number':
      return checkNumber(rule, value);
    case 'yesNo':
      return typeof value === 'boolean' ? { value } : refuse('not-yes-or-no', 'Please answer yes or no.');
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

/** How many UTF-16 units a text answer may have. */
export function lengthMax(rule: InputRule & { type: 'text' | 'longText' }): number {
  return rule.maxLength ?? (rule.type === 'text' ? 500 : bodyCharsMax);
}

/**
 * Text as it is kept: well-formed, without control characters, trimmed; on one line unless `multiline`. Empty when
 * nothing of it can be seen.
 */
export function cleanText(text: string, multiline: boolean): string {
  const lines = text.toWellFormed().replaceAll(/\r\n?/g, '\n');
  const printable = lines.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
  if (isBlank(printable)) return '';
  return (multiline ? printable : printable.replaceAll(/\s+/g, onOneLine)).trim();
}

// A run of blanks is looked at as a whole: a pattern with blanks on both sides of a break begins anew at each of them.
function onOneLine(blanks: string): string {
  return /[\n\t]/.test(blanks) ? ' ' : blanks;
}

/** The pattern of a text rule, which the whole answer must match. Throws on a pattern that is not RE2. */
export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(pattern);
}

// Each answer and each snapshot with a prefilled text asks for one. To compile it takes a millisecond at most, while one that
// is kept may grow to 8 MiB with what it has read: a few are kept.
const kept = new Map<string, RE2JS>();
const keptMax = 8;

function keptPattern(pattern: string): RE2JS {
  const compiled = kept.get(pattern) ?? compilePattern(pattern);
  // The one that was used last stands last.
  kept.delete(pattern);
  kept.set(pattern, compiled);
  const [oldest] = kept.keys();
  if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
  return compiled;
}

function checkText(rule: InputRule & { type: 'text' | 'longText' }, value: unknown): Checked {
  if (typeof value !== 'string') return refuse('not-a-text', 'Please answer with some text.');
  const text = cleanText(value, rule.type === 'longText');
  const max = lengthMax(rule);
  if (text === '') return refuse('empty', 'Please write an answer.');
  if (text.length < (rule.minLength ?? 1)) {
    return refuse('too-short', `Please write at least ${rule.minLength} characters.`);
  }
  if (text.length > max) return refuse('too-long', `Please write at most ${max} characters.`);
  if (rule.pattern !== undefined && !keptPattern(rule.pattern).matches(text)) {
    return refuse('wrong-format', 'This does not have the expected format.');
  }
  return { value: text };
}

function checkSelection(rule: InputRule & { type: 'multiChoice' }, value: unknown): Checked {
  const known = new Set(rule.choices.map((choice) => choice.value));
  if (!Array.isArray(value) || !value.every((one) => known.has(one))) {
    return refuse('not-a-choice', 'Please choose among the options.');
  }
  const chosen = new Set<unknown>(value);
  if (chosen.size < value.length) return refuse('chosen-twice', 'Please choose each option once only.');
  const min = rule.minSelections ?? 1;
  const max = rule.maxSelections ?? known.size;
  if (chosen.size < min) return refuse('too-few', `Please choose at least ${min}.`);
  if (chosen.size > max) return refuse('too-many', `Please choose at most ${max}.`);
  return { value: [...known].filter((one) => chosen.has(one)) };
}

function checkScale(rule: InputRule & { type: 'nps' | 'rating' }, value: unknown): Checked {
  const { min, max } = scaleOf(rule);
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)
    return { value: value + 0 };
  return refuse('not-on-the-scale', `Please choose a number from ${min} to ${max}.`);
}

function checkNumber(rule: InputRule & { type: 'number' }, value: unknown): Checked {
  if (typeof value !== 'number' || !Number.isFinite(value))
    return refuse('not-a-number', 'Please answer with a number.');
  if (rule.integer === true && !Number.isInteger(value)) {
    return refuse('not-a-whole-number', 'Please answer with a whole number.');
  }
  const min = rule.min ?? -decimalMax;
  const max = rule.max ?? decimalMax;
  if (value < min) return refuse('too-small', `Please answer with a number of at least ${min}.`);
  if (value > max) return refuse('too-large', `Please answer with a number of at most ${max}.`);
  return { value: value + 0 }; // turns -0 into 0
}

function checkDate(rule: InputRule & { type: 'date' | 'time' }, value: unknown, now: number): Checked {
  if (typeof value !== 'string' || !isDate(value))
    return refuse('not-a-date', 'Please give a date as YYYY-MM-DD.');
  const min = rule.min === undefined ? undefined : boundDate(rule.min, now);
  const max = rule.max === undefined ? undefined : boundDate(rule.max, now);
  if (min !== undefined && value < min) return refuse('too-early', `Please choose ${min} or later.`);
  if (max !== undefined && value > max) return refuse('too-late', `Please choose ${max} or earlier.`);
  return { value };
}

function checkTime(rule: InputRule & { type: 'date' | 'time' }, value: unknown): Checked {
  if (typeof value !== 'string' || !isTime(value))
    return refuse('not-a-time', 'Please give a time as HH:MM.');
  if (rule.min !== undefined && value < rule.min)
    return refuse('too-early', `Please choose ${rule.min} or later.`);
  if (rule.max !== undefined && value > rule.max)
    return refuse('too-late', `Please choose ${rule.max} or earlier.`);
  return { value };
}

function checkEmail(value: unknown): Checked {
  const text = typeof value === 'string' ? cleanText(value, false).normalize('NFC') : '';
  const match = /^([^\s@<>()[\]",;:\\]+)@([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)$/u.exec(text);
  const [, local = '', domain = ''] = match ?? [];
  if (match === null || text.length > 320 || /^\.|\.\.|\.$/.test(local) || /(^|\.)-|-(\.|$)/.test(domain)) {
    return refuse('not-an-email', 'Please give an e-mail address, such as name@example.com.');
  }
  return { value: `${local}@${domain.toLowerCase()}` };
}

function checkPhone(value: unknown): Checked {
  const text = typeof value === 'string' ? foldDigits(cleanText(value, false).normalize('NFKC')) : '';
  // Address books put marks of direction around a number.
  const bare = text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
  const international = bare.replace(/^00/, '+').replace(/^(\+.*)\(0\)/, '$1');
  const digits = international.replaceAll(/[\s().\-/\u2010-\u2013]/g, '');
  if (!/^\+?\d{5,15}$/.test(digits))
    return refuse('not-a-phone', 'Please give a phone number, such as +44 20 7946 0000.');
  return { value: digits };
}

function checkUrl(value: unknown): Checked {
  const text = typeof value === 'string' ? cleanText(value, false) : '';
  const refusal = refuse('not-a-url', 'Please give a web address, such as https://example.com.');
  if (text === '' || /\s/.test(text)) return refusal;
  const address = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (
    address === null ||
    !/^https?:$/.test(address.protocol) ||
    address.username !== '' ||
    address.password !== ''
  ) {
    return refusal;
  }
  const labels = address.hostname.replace(/\.$/, '').split('.');
  if (labels.length < 2 || labels.includes('') || address.href.length > 2048) return refusal;
  return { value: address.href };
}

function refuse(reason: string, detail: string): Refusal {
  return { reason, detail };
}
