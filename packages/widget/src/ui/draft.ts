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

/**
 * Makes an answer of a draft. What is typed goes as text: the engine reads it, and asks again where the step has a
 * retry. What is chosen, and a prefilled value that nobody has changed, goes as a value.
 */
export function readDraft(input: Input, draft: Draft, language: Pick<Language, 'number'>): Read {
  // One that was never touched is empty text.
  if (Array.isArray(draft) || input.type === 'multiChoice') return readSelection(input, chosenIn(draft));
  const words = draft.trim();
  if (words === '') return { fault: 'empty' };
  switch (input.type) {
    case 'nps':
    case 'rating':
      return { answer: { value: Number(words) }, words };
    case 'yesNo':
      return { answer: { value: words === 'yes' }, words: input.labels?.[words] ?? words };
    case 'choice':
      return { answer: { value: words }, words: labelOf(input, words) };
    default:
      return {
        answer: draft === draftOf(input.prefill, language) ? { value: input.prefill } : { text: words },
        words,
      };
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
