import { expect, test } from 'vitest';
import { completes } from '../../tests/completes.ts';
import { cleanText } from './clean-text.ts';

test('checking a text takes linear time, also with long runs of blanks', () => {
  const ofBlanks = (count: number) => `a${' '.repeat(count)}b`;
  expect(cleanText(ofBlanks(3).replace('   ', ' \t '), false)).toBe('a b');
  expect(completes(() => cleanText(ofBlanks(4_000_000), false))).toHaveLength(4_000_002);
});
