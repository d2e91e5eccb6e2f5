import { expect, test } from 'vitest';
import { placeholdersIn, withFallback, withoutPlaceholder, withPlaceholder } from './placeholders.ts';

const text = 'Hi {{ customer.firstName | there }}, you said {{answers.score}}.';

test('the values that a text names are found with their fallbacks', () => {
  expect(placeholdersIn(text)).toEqual([
    { from: 3, to: 35, name: 'customer.firstName', fallback: 'there' },
    { from: 46, to: 63, name: 'answers.score', fallback: '' },
  ]);
});

test('a fallback is changed, and a value removed, without changing the rest', () => {
  const [first, second] = placeholdersIn(text);
  if (!first || !second) throw new Error('there are two');
  expect(withFallback(text, second, 'no{}thing')).toBe(text.replace('score}}', 'score|nothing}}'));
  expect(withFallback(text, first, '')).toBe(
    text.replace('{{ customer.firstName | there }}', '{{customer.firstName}}'),
  );
  expect(withoutPlaceholder(text, second)).toBe('Hi {{ customer.firstName | there }}, you said .');
});

test('a value is inserted at the cursor, and behind a value in which the cursor is', () => {
  expect(withPlaceholder('ab', 1, 'context.x')).toBe('a{{context.x}}b');
  expect(withPlaceholder('{{answers.a}}b', 4, 'context.x')).toBe('{{answers.a}}{{context.x}}b');
});
