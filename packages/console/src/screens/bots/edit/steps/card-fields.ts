import type { Field } from '@parley/bot/editing/forms';

interface Placed {
  /** What is always shown. */
  first: Field[];
  /** What is folded. */
  more: Field[];
  hasInput: boolean;
  hasNext: boolean;
  /** Whether the step must have a `next`. */
  mustDecide: boolean;
}

/** Returns where a card shows the fields of its step. What a step needs, and its text, is always shown. */
export function placeFields(fields: readonly Field[]): Placed {
  const next = fields.find(({ control }) => control.kind === 'next');
  const own = fields.filter(
    ({ name, control }) => control.kind !== 'next' && control.kind !== 'input' && name !== 'when',
  );
  const isFirst = ({ name, isRequired }: Field): boolean => isRequired || name === 'text';
  return {
    first: own.filter(isFirst),
    more: own.filter((field) => !isFirst(field)),
    hasInput: fields.some(({ control }) => control.kind === 'input'),
    hasNext: next !== undefined,
    mustDecide: next?.isRequired === true,
  };
}
