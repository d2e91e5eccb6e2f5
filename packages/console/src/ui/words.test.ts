import { expect, test } from 'vitest';
import { indented, knownWord, shortened, valueText, withoutPlaceholders, wordsOf } from './words.ts';

test('a key becomes words, whatever its form', () => {
  const keys = ['why', 'nps_segment', 'npsScore', 'first-visit', 'order.id', 'größe_2', '__', ''];
  const words = ['Why', 'NPS segment', 'NPS score', 'First visit', 'Order id', 'Größe 2', '__', ''];
  expect(keys.map(wordsOf)).toEqual(words);
});

test('placeholders become words, with and without a fallback; other braces stay', () => {
  const texts = {
    'Hi {{customer.firstName|there}}!': 'Hi ‹first name›!',
    '{{ context.order_id }} and {{answers.why}}': '‹order id› and ‹why›',
    'a {b} {{}} }}': 'a {b} ‹› }}',
  };
  for (const [text, shown] of Object.entries(texts)) expect(withoutPlaceholders(text)).toBe(shown);
});

test('a long text is cut, without a space at its end', () => {
  expect(shortened('x'.repeat(40))).toBe('x'.repeat(40));
  expect(shortened(`${'x'.repeat(39)} and more`)).toBe(`${'x'.repeat(39)}…`);
});

test('JSON has a line for each value, and a text with hidden parts stays', () => {
  expect(indented('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(indented('{"a":[hidden]}')).toBe('{"a":[hidden]}');
});

test('a value of a definition is shown as text, or as JSON', () => {
  expect(['Hi "you"', undefined, 3, null, ['a'], {}].map(valueText)).toEqual([
    'Hi "you"',
    undefined,
    '3',
    'null',
    '[\n  "a"\n]',
    '✓',
  ]);
});

test('a name without words is shown itself', () => {
  const words = { 'bot.created': 'Bot created' };
  expect(['bot.created', 'bot.flown'].map((name) => knownWord(words, name))).toEqual([
    'Bot created',
    'bot.flown',
  ]);
});
