import { elementSpans } from '@parley/bot/editing/json-edits';

/** Returns the step at a place of the text, in UTF-16 units; undefined at another part. */
export function stepAt(text: string, offset: number): number | undefined {
  const index = elementSpans(text, ['steps']).findIndex(({ from, to }) => from <= offset && offset <= to);
  return index < 0 ? undefined : index;
}
