import { expect, test } from 'vitest';
import { accepts, reads, readsIn, readText, refuses, takes } from '../../../tests/answers.ts';
import type { LocalText } from '../../text/format-text.ts';
import { type InputRule, typeOf } from '../types.ts';

const colours = ['red', 'green', 'blue'].map((value) => ({ value, label: value.toUpperCase() }));
const replies = [
  { value: 'confirm', label: "Yes, I'll be there" },
  { value: 'node.js', label: { en: 'Node.js, TypeScript', de: 'Node.js und TypeScript' } },
  { value: 'c', label: 'C' },
];
const choice = (...labels: [value: string, label: LocalText][]): InputRule => ({
  type: 'choice',
  choices: labels.map(([value, label]) => ({ value, label })),
});
const sure = choice(['no', 'Not sure'], ['never', 'No']);
const counts = choice(['0', '1'], ['1', '2'], ['2', '3 or more']);
const gifts = choice(['gift', { en: 'Gift', de: 'Geschenk' }], ['poison', { en: 'Poison', de: 'Gift' }]);
const toys = choice(['a', { en: 'Doll', de: 'Puppe' }], ['b', { en: 'Toy', de: 'Doll' }], ['c', 'x']);
const marks = choice(['plus', 'C+.'], ['bare', 'C+!']);

reads([
  [{ type: 'choice', choices: replies }, 'CONFIRM', 'confirm'],
  [{ type: 'choice', choices: replies }, ' yes,  i’ll be there ', 'confirm'],
  [{ type: 'choice', choices: replies }, 'yes ill be there!', 'confirm'],
  [{ type: 'choice', choices: replies }, 'Node.js und TypeScript', 'node.js'],
  [{ type: 'choice', choices: replies }, 'yes', undefined],
  [{ type: 'choice', choices: replies }, '!', undefined],
]);

accepts([[{ type: 'choice', choices: colours }, 'red', 'red']]);

refuses([
  [{ type: 'choice', choices: colours }, 'RED', 'not-a-choice'],
  [{ type: 'choice', choices: colours }, ['red'], 'not-a-choice'],
]);

takes([
  [{ type: 'choice', choices: [{ value: 'x', label: 'I’m in – “now”' }] }, 'i\'m in - "now"', 'x'],
  [{ type: 'choice', choices: [{ value: 'x', label: 'C#' }] }, 'Ｃ＃', 'x'],
]);

readsIn([
  [sure, 'en', 'No', 'never'],
  [sure, 'en', 'no!', 'never'],
  [sure, 'en', 'never', 'never'],
  [counts, 'en', '1', '0'],
  [counts, 'en', '2', '1'],
  [counts, 'en', '0', undefined],
  [choice(['5', '5 stars'], ['4', '4 stars']), 'en', '5', '5'],
  [choice(['1', 'One'], ['2', 'Two']), 'en', '2', '2'],
  [gifts, 'de', 'Gift', 'poison'],
  [gifts, 'de-AT', 'gift', 'poison'],
  [gifts, 'en', 'Gift', 'gift'],
  [gifts, 'fr', 'Gift', 'gift'],
  [gifts, 'de', 'Poison', 'poison'],
  [gifts, 'en', 'Geschenk', 'gift'],
  [toys, 'fr', 'Puppe', 'a'],
  [marks, 'en', 'c+!', 'bare'],
  [marks, 'en', 'c+', undefined],
]);

test('a text that matches two choices selects none', () => {
  const both = choice(['a', { en: 'A', fr: 'Autre' }], ['b', { en: 'B', de: 'Autre' }]);
  expect(readText(both, 'autre')).toBeUndefined();
  expect(readText(both, 'autre', 'fr')).toBe('a');
});

const other = { label: 'Something else', maxLength: 12 };
const open: InputRule = { type: 'choice', choices: colours, other };

reads([
  [open, 'Red', 'red'],
  [open, 'a kind of mauve', { other: 'a kind of mauve' }],
  // The label alone says nothing yet.
  [open, 'something else', { other: '' }],
]);

accepts([
  [open, 'red', 'red'],
  [open, { other: '  mauve\n ' }, { other: 'mauve' }],
]);

refuses([
  [open, { other: ' ' }, 'empty'],
  [open, { other: 'thirteen char' }, 'too-long'],
  [open, { other: 1 }, 'not-a-choice'],
  [open, { other: 'mauve', more: 1 }, 'not-a-choice'],
  [open, 'other', 'not-a-choice'],
  [{ type: 'choice', choices: colours }, { other: 'mauve' }, 'not-a-choice'],
]);

test('own words are `other` in expressions, and themselves in the evaluation', () => {
  const { celValue, evaluationText, ownWords } = typeOf(open);
  expect(celValue(open, { other: 'mauve' })).toBe('other');
  expect(evaluationText({ other: 'mauve' })).toBe('mauve');
  expect(ownWords({ other: 'mauve' })).toEqual({ text: 'mauve', choicesBefore: 0 });
});
