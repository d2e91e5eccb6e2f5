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
