import type { Answer, Input } from '@parley/bot/engine';
import { typeNamed } from '@parley/bot/question-types';

/** Returns the choices, or the columns of a matrix, with their numbers. */
export function choiceLines({ columns = [], choices = columns }: Input): string[] {
  const width = String(choices.length).length;
  return choices.map(({ label }, index) => `${String(index + 1).padStart(width)}  ${label}`);
}

/** Describes the valid answers, in one line. */
export function hint(input: Input): string {
  const parts = [typeNamed(input.type).describeAnswers(input)];
  if (input.prefill !== undefined) parts.push(`empty: ${sayPrefill(input.prefill)}`);
  else if (!input.required) parts.push('empty to skip');
  else if (mayBeNone(input)) parts.push('empty for none');
  return `(${parts.join('; ')})`;
}

/**
 * Reads a line as an answer. A number stands for its choice, unless a choice has that name. An empty line is the
 * initial value, else it skips the question, or selects nothing. All else is free text.
 */
export function readReply(input: Input, line: string): Answer {
  const text = line.trim();
  if (text === '') return readEmpty(input);
  const { choices = [], maxSelections, rankMax } = input;
  const isName = (word: string): boolean =>
    choices.some(({ value, label }) => value === word || label === word);
  const chosen = text.split(',').map((part) => {
    const word = part.trim();
    return /^\d{1,2}$/.test(word) && !isName(word) ? choices[Number(word) - 1]?.value : undefined;
  });
  const values = chosen.filter((value) => value !== undefined);
  if (values.length === 0 || values.length < chosen.length) return { text: line };
  if (rankMax !== undefined) return { value: values };
  if (maxSelections !== undefined) return { value: [...new Set(values)] };
  return values.length === 1 ? { value: values[0] } : { text: line };
}

function sayPrefill(prefill: NonNullable<Input['prefill']>): string {
  const parts = [prefill]
    .flat()
    .map((part) => (typeof part === 'object' ? JSON.stringify(part) : String(part)));
  return parts.join(',');
}

function readEmpty(input: Input): Answer {
  if (input.prefill !== undefined) return { value: input.prefill };
  return input.required && mayBeNone(input) ? { value: [] } : { skip: true };
}

function mayBeNone({ minSelections }: Input): boolean {
  return minSelections === 0;
}
