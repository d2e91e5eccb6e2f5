import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf } from '../../figures/buckets.ts';
import { timesOf } from './times.ts';

test('median and p90 differ from the nearest ranks of all times by less than 5 %', () => {
  const seconds = fc.double({ min: 1, max: 1e7, noNaN: true });
  fc.assert(
    fc.property(fc.array(seconds, { minLength: 1, maxLength: 50 }), (all) => {
      const counts = new Map<string, number>();
      for (const one of all) counts.set(String(bucketOf(one)), (counts.get(String(bucketOf(one))) ?? 0) + 1);
      const rising = all.toSorted((one, other) => one - other);
      const { n, medianSeconds, p90Seconds } = timesOf(counts);
      expect(n).toBe(all.length);
      for (const [found, share] of [[medianSeconds, 0.5] as const, [p90Seconds, 0.9] as const]) {
        const exact = rising[Math.ceil(share * n) - 1] ?? 0;
        expect(Math.abs((found ?? 0) / exact - 1)).toBeLessThan(0.05);
      }
    }),
  );
});

test('there are no quantiles without times', () => {
  expect(timesOf(new Map())).toEqual({ n: 0 });
});
