import { expect, test } from 'vitest';
import { historyInput, historyKey, stepAt } from './places.ts';

test('a place of the text is in a step, or in none', () => {
  const text = '{"a": 1, "steps": [{"id": 1}, {"id": 2}]}';
  expect([0, 20, 32, text.length].map((offset) => stepAt(text, offset))).toEqual([
    undefined,
    0,
    1,
    undefined,
  ]);
});

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
