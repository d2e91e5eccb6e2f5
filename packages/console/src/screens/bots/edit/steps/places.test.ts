import { expect, test } from 'vitest';
import { stepAt } from './places.ts';

test('a place of the text is in a step, or in none', () => {
  const text = '{"a": 1, "steps": [{"id": 1}, {"id": 2}]}';
  expect([0, 20, 32, text.length].map((offset) => stepAt(text, offset))).toEqual([
    undefined,
    0,
    1,
    undefined,
  ]);
});
