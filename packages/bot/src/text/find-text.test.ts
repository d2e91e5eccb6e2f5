import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completes } from '../../tests/completes.ts';
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
  const wanted = `${'a'.repeat(500_000)}b${'a'.repeat(1_000_000)}`;
  expect(completes(() => findText('a'.repeat(4_000_000), wanted))).toBe(-1);
});
