import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf, middleOf } from './buckets.ts';

test('the middle of a bucket differs from its times by less than 5 %', () => {
  const seconds = fc.double({ min: 1, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(seconds, (value) => {
      expect(Math.abs(middleOf(bucketOf(value)) / value - 1)).toBeLessThan(0.05);
    }),
  );
});

test('a longer time is in no lower bucket, and all times below a second are in the same one', () => {
  const seconds = fc.double({ min: 0, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(seconds, seconds, (one, other) => {
      const [shorter, longer] = one < other ? [one, other] : [other, one];
      expect(bucketOf(shorter)).toBeLessThanOrEqual(bucketOf(longer));
    }),
  );
  expect([0, 0.5, 0.999].map(bucketOf)).toEqual([0, 0, 0]);
  expect(bucketOf(1)).toBe(1);
});
