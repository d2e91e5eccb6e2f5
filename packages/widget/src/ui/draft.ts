import type { Answer, TalkState } from '../model.ts';
import type { Language } from './language.ts';

/** The question that is waited for. */
export type Input = NonNullable<NonNullable<TalkState['snapshot']>['input']>;

/** What a field holds before it is sent: text, the value of what is chosen, or the values of all that are. */
export type Draft = string | string[];

/** An answer ready to be sent, or why the draft is none yet. */
export type Read = { answer: Answer; words: string } | { fault: 'empty' | 'invalid' };

/** The draft that a value of the question's type stands for, as `readDraft` reads it; empty for anything else. */
export function draftOf(value: unknown, { number }: Pick<Language, 'number'>): Draft {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return number(value);
  return typeof value === 'string' ? value : '';
}

/** The values that are chosen in a draft. */
export function chosenIn(draft: Draft): string[] {
  return Array.isArray(draft) ? draft : draft === '' ? [] : [draft];
}

/** Reads a draft, as far as the browser can tell: the server has the last word. */
export function readDraft(input: Input, draft: Draft, { groupMark }: Pick<Language, 'groupMark'>): Read {
  // One that was never touched is empty text.
  if (Array.isArray(draft) || input.type === 'multiChoice') return readSelection(input, chosenIn(draft));
  const text = draft.trim();
  if (text === '') return { fault: 'empty' };
  switch (input.type) {
    case 'nps':
    case 'rating':
    case 'number':
      return readNumber(input, text, groupMark);
    case 'yesNo':
      return { answer: { value: text === 'yes' }, words: input.labels?.[text] ?? text };
    case 'choice':
      return { answer: { value: text }, words: labelOf(input, text) };
    case 'date':
    case 'time':
      return isWithin(input, text) ? { answer: { value: text }, words: text } : { fault: 'invalid' };
    case 'email':
      return /^\S+@\S+$/.test(text) ? { answer: { value: text }, words: text } : { fault: 'invalid' };
    default:
      return text.length >= (input.minLength ?? 0) && text.length <= (input.maxLength ?? Infinity)
        ? { answer: { value: text }, words: text }
        : { fault: 'invalid' };
  }
}

/** What can be answered, in words, where the question sets bounds that its field does not show. */
export function hintOf(input: Input, { say, day, number }: Language): string {
  const { min, max } = input;
  const show = (bound: number | string) => (typeof bound === 'number' ? number(bound) : day(bound));
  switch (input.type) {
    case 'multiChoice':
      return selectionHint(input, say);
    case 'number':
    case 'date':
    case 'time':
      if (min !== undefined && max !== undefined) return say('fromTo', { min: show(min), max: show(max) });
      if (min !== undefined) return say('from', { min: show(min) });
      return max === undefined ? '' : say('upTo', { max: show(max) });
    case 'text':
    case 'longText':
      return (input.minLength ?? 0) > 1 ? say('atLeastCharacters', { min: input.minLength ?? 0 }) : '';
    default:
      return '';
  }
}

function readSelection(input: Input, chosen: string[]): Read {
  const { minSelections = 1, maxSelections = Infinity, choices = [] } = input;
  if (chosen.length === 0 && minSelections > 0) return { fault: 'empty' };
  if (chosen.length < minSelections || chosen.length > maxSelections) return { fault: 'invalid' };
  const value = choices.filter((choice) => chosen.includes(choice.value));
  return {
    answer: { value: value.map((choice) => choice.value) },
    words: value.map((choice) => choice.label).join(', ') || '–',
  };
}

// A mark before exactly three digits groups thousands where the language has it so; any other is a decimal one.
function readNumber(input: Input, text: string, groupMark: string): Read {
  const digits = text
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .replaceAll(/(?<=\d)[\s'’٬](?=\d{3}(?!\d))/g, '')
    .replace('\u2212', '-');
  const groups = digits.split(groupMark);
  const isGrouped = /^[+-]?[1-9]\d{0,2}$/.test(groups[0] ?? '') && groups.slice(1).every(isGroup);
  const plain = (isGrouped ? groups.join('') : digits).replace(/[,٫]/, '.');
  const value = /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
  const isFound = value >= Number(input.min ?? -Infinity) && value <= Number(input.max ?? Infinity);
  return isFound ? { answer: { value }, words: text } : { fault: 'invalid' };
}

function isGroup(group: string, at: number, groups: string[]): boolean {
  return at === groups.length - 1 ? /^\d{3}(?!\d)/.test(group) : /^\d{3}$/.test(group);
}

// Dates and times of the contract sort as text.
function isWithin({ min, max }: Input, text: string): boolean {
  return (min === undefined || text >= String(min)) && (max === undefined || text <= String(max));
}

function labelOf(input: Input, value: string): string {
  return input.choices?.find((choice) => choice.value === value)?.label ?? value;
}

function selectionHint(
  { minSelections = 1, maxSelections, choices = [] }: Input,
  say: Language['say'],
): string {
  const max = maxSelections ?? choices.length;
  if (minSelections === max) return say('chooseExactly', { min: minSelections });
  // Where none is an answer, too, "one or more" would not be true.
  if (max >= choices.length && minSelections > 0)
    return minSelections > 1 ? say('chooseAtLeast', { min: minSelections }) : say('chooseAny');
  return minSelections > 1 ? say('chooseFromTo', { min: minSelections, max }) : say('chooseUpTo', { max });
}
