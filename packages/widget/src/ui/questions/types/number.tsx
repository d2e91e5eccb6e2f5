import { boundsHint, typedOnALine } from '../fields/typed.tsx';
import type { QuestionField } from '../question-field.ts';

/** A number. Its field is text, because number fields change with the wheel and lose invalid input. */
export const number: QuestionField = {
  ...typedOnALine('numberLabel', { autocomplete: 'off', inputMode: 'decimal' }),
  hintOf: boundsHint,
};
