import { elementSpans } from '@parley/bot/editing/json-edits';

/** Returns the step at a place of the text, in UTF-16 units; undefined at another part. */
export function stepAt(text: string, offset: number): number | undefined {
  const index = elementSpans(text, ['steps']).findIndex(({ from, to }) => from <= offset && offset <= to);
  return index < 0 ? undefined : index;
}

/** Returns the step whose card has an element; undefined in the card of the bot. */
export function stepAround(element: Element): number | undefined {
  const index = Number(element.closest<HTMLElement>('[data-step]')?.dataset['step']);
  return Number.isInteger(index) ? index : undefined;
}
