import type { Answer, TalkState } from '../../model.ts';
import type { WidgetLanguage } from '../language/language.ts';

export type Input = NonNullable<NonNullable<TalkState['snapshot']>['input']>;

/**
 * The content of a field before it is sent: text, the value of a choice, or the values of all selected choices. Members
 * of objects are `name=value`; no value of a choice has a `=`.
 */
export type Draft = string | string[];

/** An answer ready to be sent, or why the draft is none yet. */
export type Read = { answer: Answer; words: string } | { fault: 'empty' | 'invalid' };

/** Returns the draft of a value of the question's type, as its `readDraft` parses it; empty for anything else. */
export function draftOf(value: unknown, { number }: Pick<WidgetLanguage, 'number'>): Draft {
  if (Array.isArray(value)) return value.flatMap((one) => (isObject(one) ? membersOf(one) : String(one)));
  if (isObject(value)) return membersOf(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return number(value);
  return typeof value === 'string' ? value : '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function membersOf(value: object): string[] {
  return Object.entries(value).map(([name, member]) => `${name}=${String(member)}`);
}

export function memberOf(draft: Draft, name: string): string | undefined {
  const found = chosenIn(draft).find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

/** Returns the answer of typed text. It is sent as text: the engine parses it. An unchanged prefill is a value. */
export function readTyped(input: Input, draft: Draft, language: Pick<WidgetLanguage, 'number'>): Read {
  return readWords(draft, (words) => ({
    answer: draft === draftOf(input.prefill, language) ? { value: input.prefill } : { text: words },
    words,
  }));
}

/** Returns the answer of trimmed text, unless it is empty. */
export function readWords(draft: Draft, read: (words: string) => Read): Read {
  const words = String(draft).trim();
  return words === '' ? { fault: 'empty' } : read(words);
}

export function chosenIn(draft: Draft): string[] {
  return Array.isArray(draft) ? draft : draft === '' ? [] : [draft];
}
