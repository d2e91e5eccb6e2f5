import { expect, test } from 'vitest';
import { contextNames, definitionText, languagesIn, onlyEnds } from './definition.ts';

test('the text of a definition has a line for each value, and ends with one', () => {
  expect(definitionText({ key: 'nps', steps: [] })).toBe('{\n  "key": "nps",\n  "steps": []\n}\n');
});

test('a version that neither asks nor says anything only ends', () => {
  const end = { id: 'end', kind: 'end' };
  expect([onlyEnds({ steps: [end] }), onlyEnds({ steps: [end, { ...end, id: 'other' }] })]).toEqual([
    true,
    true,
  ]);
  const say = { id: 'hi', kind: 'say', text: 'Hi' };
  expect([
    onlyEnds({ steps: [{ ...end, text: 'Bye' }] }),
    onlyEnds({ steps: [say, end] }),
    onlyEnds({}),
  ]).toEqual([false, false, false]);
});

test('a definition names what it takes from the context, or takes nothing', () => {
  expect(contextNames({ context: [{ name: 'product' }, { name: 'size', personal: true }] })).toEqual([
    'product',
    'size',
  ]);
  expect(contextNames({ key: 'nps' })).toEqual([]);
});

test('a definition has its own language, and the languages of its texts', () => {
  const steps = [{ id: 'bye', kind: 'end', text: { en: 'Bye', fr: 'Au revoir', de: 'Tschüss' } }];
  expect(languagesIn({ locale: 'de', steps })).toEqual(['de', 'en', 'fr']);
  expect(languagesIn({ steps: [{ id: 'bye', kind: 'end', text: 'Bye' }] })).toEqual(['en']);
});
