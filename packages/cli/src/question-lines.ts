import type { Answer, Input } from '@parley/bot/engine';

/** Returns the numbered choices of a question, one per line. */
export function choiceLines({ choices = [] }: Input): string[] {
  const width = String(choices.length).length;
  return choices.map(({ label }, index) => `${String(index + 1).padStart(width)}  ${label}`);
}

/** Describes the valid answers, in one line. */
export function hint(input: Input): string {
  const parts = [form(input)];
  if (input.prefill !== undefined) parts.push(`empty: ${String(input.prefill)}`);
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
  const { type, choices = [] } = input;
  const isName = (word: string): boolean =>
    choices.some(({ value, label }) => value === word || label === word);
  const chosen = text.split(',').map((part) => {
    const word = part.trim();
    return /^\d{1,2}$/.test(word) && !isName(word) ? choices[Number(word) - 1]?.value : undefined;
  });
  const values = chosen.filter((value) => value !== undefined);
  if (values.length === 0 || values.length < chosen.length) return { text: line };
  if (type === 'multiChoice') return { value: [...new Set(values)] };
  return values.length === 1 ? { value: values[0] } : { text: line };
}

function readEmpty(input: Input): Answer {
  if (input.prefill !== undefined) return { value: input.prefill };
  return input.required && mayBeNone(input) ? { value: [] } : { skip: true };
}

function mayBeNone({ type, minSelections }: Input): boolean {
  return type === 'multiChoice' && minSelections === 0;
}

function form(input: Input): string {
  const { type, labels, min, max, minLength, maxLength, minSelections, maxSelections } = input;
  switch (type) {
    case 'text':
    case 'longText':
      return `text, ${span(minLength, maxLength)} characters`;
    case 'choice':
      return 'one of these, by number or in words';
    case 'multiChoice':
      return `${span(minSelections, maxSelections)} of these, by numbers or in words, with commas between`;
    case 'nps':
    case 'rating':
      return labels ? `${min} ${labels['low']} … ${max} ${labels['high']}` : `${min} to ${max}`;
    case 'number':
      return ['a number', span(min, max)].filter(Boolean).join(', ');
    case 'yesNo':
      return `${labels?.['yes']} | ${labels?.['no']}`;
    case 'date':
      return ['a day, YYYY-MM-DD', span(min, max)].filter(Boolean).join(', ');
    case 'time':
      return ['a time, HH:MM', span(min, max)].filter(Boolean).join(', ');
    case 'email':
      return 'an e-mail address';
    case 'phone':
      return 'a phone number';
    case 'url':
      return 'a web address';
  }
}

function span(min: number | string | undefined, max: number | string | undefined): string {
  if (min !== undefined && max !== undefined) return min === max ? String(min) : `${min} to ${max}`;
  if (min !== undefined) return `at least ${min}`;
  return max === undefined ? '' : `at most ${max}`;
}
