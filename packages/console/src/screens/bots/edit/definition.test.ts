import { expect, test } from 'vitest';
import { contextNames, definitionText } from './definition.ts';

test('the text of a definition has a line for each value, and ends with one', () => {
  expect(definitionText({ key: 'nps', steps: [] })).toBe('{\n  "key": "nps",\n  "steps": []\n}\n');
});

test('a definition names what it takes from the context, or takes nothing', () => {
  expect(contextNames({ context: [{ name: 'product' }, { name: 'size', personal: true }] })).toEqual([
    'product',
    'size',
  ]);
  expect(contextNames({ key: 'nps' })).toEqual([]);
});
