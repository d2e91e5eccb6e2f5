import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFindAll } from './find-all.ts';
import { runAtOnce } from '../bounds/slices.ts';

const letters = fc.constantFrom('a', 'b', '\uffff', '😀');

test('every occurrence of every text is found, the longest first for each end', () => {
  const text = fc.string({ unit: letters, maxLength: 30 });
  const wanted = fc.array(fc.string({ unit: letters, maxLength: 5 }), { maxLength: 8 });
  fc.assert(
    fc.property(text, wanted, (all, texts) => {
      const found: string[] = [];
      const findAll = runAtOnce(createFindAll(texts.map((one) => ({ text: one }))));
      findAll(all, (one, start, end) => {
        found.push(`${end} ${start} ${one.text}`);
        return false;
      });
      const expected: string[] = [];
      for (let end = 1; end <= all.length; end += 1) {
        for (let start = 0; start < end; start += 1) {
          const part = all.slice(start, end);
          if (texts.includes(part)) expected.push(`${end} ${start} ${part}`);
        }
      }
      expect(found).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
});

test('shorter texts with the same end are left out on request', () => {
  const findAll = runAtOnce(createFindAll(['b', 'ab', 'a'].map((text) => ({ text }))));
  const found: string[] = [];
  findAll('ab', ({ text }) => found.push(text) > 0);
  expect(found).toEqual(['a', 'ab']);
});
