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

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** Returns what the keys do with the history: Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z, on a Mac with Cmd. */
export function historyKey({ key, ctrlKey, metaKey, shiftKey, altKey }: Key): 'undo' | 'redo' | undefined {
  if (altKey || !(ctrlKey || metaKey)) return undefined;
  const letter = key.toLowerCase();
  if (letter === 'y') return 'redo';
  if (letter !== 'z') return undefined;
  return shiftKey ? 'redo' : 'undo';
}

/** Returns what an input does with the history, as the menu of a browser does. */
export function historyInput({ inputType }: Pick<InputEvent, 'inputType'>): 'undo' | 'redo' | undefined {
  if (inputType === 'historyUndo') return 'undo';
  return inputType === 'historyRedo' ? 'redo' : undefined;
}
