import type { InputHTMLAttributes } from 'preact';
import type { Language } from '../../language/language.ts';
import type { Strings } from '../../language/strings.ts';
import { type Input, readTyped } from '../draft.ts';
import type { QuestionField } from '../question-field.ts';
import { TextField } from './text-field.tsx';

/** What types have in common whose answer is typed on a line. `attributes`: the browser's support for the type. */
export function typedOnALine(label: keyof Strings, attributes: InputHTMLAttributes = {}): QuestionField {
  return {
    label,
    sentBy: 'button',
    hasLines: false,
    isScale: false,
    Field: (props) => <TextField {...props} attributes={attributes} />,
    readDraft: readTyped,
    hintOf: () => '',
  };
}

export function boundsHint({ min, max }: Input, { say, day, number }: Language): string {
  const show = (bound: number | string) => (typeof bound === 'number' ? number(bound) : day(bound));
  if (min !== undefined && max !== undefined) return say('fromTo', { min: show(min), max: show(max) });
  if (min !== undefined) return say('from', { min: show(min) });
  return max === undefined ? '' : say('upTo', { max: show(max) });
}

export function lengthHint({ minLength = 0 }: Input, { say }: Language): string {
  return minLength > 1 ? say('atLeastCharacters', { min: minLength }) : '';
}
