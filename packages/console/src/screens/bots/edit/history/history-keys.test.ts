import { expect, test } from 'vitest';
import { historyInput, historyKey } from './history-keys.ts';

test('the usual keys undo and redo', () => {
  const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
  const keys = [
    { key: 'z', ctrlKey: true },
    { key: 'Z', metaKey: true, shiftKey: true },
    { key: 'y', ctrlKey: true },
    { key: 'z' },
    { key: 'z', ctrlKey: true, altKey: true },
    { key: 'a', ctrlKey: true },
  ];
  expect(keys.map((key) => historyKey({ ...none, ...key }))).toEqual([
    'undo',
    'redo',
    'redo',
    undefined,
    undefined,
    undefined,
  ]);
});

test('the menu of a browser undoes and redoes', () => {
  const inputs = ['historyUndo', 'historyRedo', 'insertText'].map((inputType) => historyInput({ inputType }));
  expect(inputs).toEqual(['undo', 'redo', undefined]);
});
