import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costOf } from '../tests/cost.ts';
import { findText } from './find-text.ts';

test('the first occurrence is found', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 30 });
  const wanted = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 5 });
  fc.assert(
    fc.property(text, wanted, fc.nat(31), (all, part, from) => {
      const start = Math.min(from, all.length);
      expect(findText(all, part, start)).toBe(all.indexOf(part, start));
    }),
    { numRuns: 2_000 },
  );
});

test('the search takes linear time, also for near matches', () => {
  const search = (length: number) => {
    const wanted = `${'a'.repeat(length / 8)}b${'a'.repeat(length / 4)}`;
    return () => findText('a'.repeat(length), wanted);
  };
  expect(costOf(search(128_000))).toBeLessThan(4 * 16 * costOf(search(8_000)));
});
