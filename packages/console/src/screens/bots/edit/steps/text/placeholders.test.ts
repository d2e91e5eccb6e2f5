import { expect, test } from 'vitest';
import { placeholdersIn, writePlaceholder } from './placeholders.ts';

test('the values that a text names are found with their fallbacks, and what is no value stays text', () => {
  const text = 'Hi {{ customer.firstName | there }}, you said {{answers.score}}, {{x}}, {{ and {{}}.';
  expect(placeholdersIn(text)).toEqual([
    { from: 3, to: 35, name: 'customer.firstName', fallback: 'there' },
    { from: 46, to: 63, name: 'answers.score', fallback: '' },
  ]);
});

test('a placeholder is read as it was written, whatever the fallback', () => {
  for (const fallback of ['', 'nobody', 'a|b', 'two\nlines'])
    expect(placeholdersIn(writePlaceholder('context.x', fallback))).toMatchObject([{ fallback }]);
  expect(writePlaceholder('answers.score', 'no{}thing')).toBe('{{answers.score|nothing}}');
});
