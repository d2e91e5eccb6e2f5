import type { Answer, TalkState } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** The current question. */
export type Input = NonNullable<NonNullable<TalkState['snapshot']>['input']>;

/** The content of a field before it is sent: text, the value of a choice, or the values of all selected choices. */
export type Draft = string | string[];

/** An answer ready to be sent, or why the draft is none yet. */
export type Read = { answer: Answer; words: string } | { fault: 'empty' | 'invalid' };

/** Returns the draft of a value of the question's type, as `readDraft` parses it; empty for anything else. */
export function draftOf(value: unknown, { number }: Pick<Language, 'number'>): Draft {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return number(value);
  return typeof value === 'string' ? value : '';
}

/** Returns the selected values of a draft. */
export function chosenIn(draft: Draft): string[] {
  return Array.isArray(draft) ? draft : draft === '' ? [] : [draft];
}

/**
 * Returns the answer of a draft. Typed text is sent as text: the engine parses it, and asks again if the step has a
 * retry. A selection, and an unchanged prefill, is sent as a value.
 */
export function readDraft(input: Input, draft: Draft, language: Pick<Language, 'number'>): Read {
  // An untouched field is empty text.
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

/** Returns the valid answers in words, if the question has bounds that its field does not show. */
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
  // If no selection is valid, too, "one or more" would be wrong.
  if (max >= choices.length && minSelections > 0)
    return minSelections > 1 ? say('chooseAtLeast', { min: minSelections }) : say('chooseAny');
  return minSelections > 1 ? say('chooseFromTo', { min: minSelections, max }) : say('chooseUpTo', { max });
}
