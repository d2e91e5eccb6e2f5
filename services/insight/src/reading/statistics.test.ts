import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf } from '../figures/counters.ts';
import { npsOf, numbersOf, timesOf } from './statistics.ts';

test('mean and median are those of all values', () => {
  const counts = new Map(Object.entries({ '10': 1, '-1.5': 2, '2': 1 }));
  expect(numbersOf(counts)).toEqual({
    mean: 2.25,
    median: 0.25,
    distribution: [
      { value: '-1.5', n: 2 },
      { value: '2', n: 1 },
      { value: '10', n: 1 },
    ],
  });
});

test('the median is the middle value, or the mean of the two in the middle', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1 }), (values) => {
      const counts = new Map<string, number>();
      for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
      const rising = values.toSorted((one, other) => one - other);
      const middle = [
        rising.at(Math.floor((rising.length - 1) / 2)),
        rising.at(Math.floor(rising.length / 2)),
      ];
      expect(numbersOf(counts).median).toBe(((middle[0] ?? 0) + (middle[1] ?? 0)) / 2);
    }),
  );
});

test('declared values are in the distribution, also without answers', () => {
  expect(numbersOf(new Map([['7', 1]]), ['1', '2'])).toEqual({
    mean: 7,
    median: 7,
    distribution: [
      { value: '1', n: 0 },
      { value: '2', n: 0 },
      { value: '7', n: 1 },
    ],
  });
  expect(numbersOf(new Map(), ['1'])).toEqual({ distribution: [{ value: '1', n: 0 }] });
});

test('a distribution has the 1,000 most frequent values, and the mean has all', () => {
  const counts = new Map(Array.from({ length: 1_500 }, (_, value) => [String(value), value < 500 ? 1 : 2]));
  const { mean, distribution } = numbersOf(counts);
  expect(distribution.map(({ value }) => value)).toEqual(
    Array.from({ length: 1_000 }, (_, index) => String(500 + index)),
  );
  expect(mean).toBeCloseTo((124_750 + 2 * 999_500) / 2_500, 10);
});

test('the score is the share of promoters without that of detractors', () => {
  const counts = new Map(Object.entries({ 0: 1, 6: 2, 7: 2, 8: 1, 9: 1, 10: 5 }));
  const nps = npsOf(counts);
  expect(nps).toMatchObject({ promoters: 6, passives: 3, detractors: 3 });
  expect(nps.score).toBeCloseTo(25, 10);
  // p = 0.5, d = 0.25, n = 12.
  expect(nps.margin).toBeCloseTo(196 * Math.sqrt((0.75 - 0.0625) / 12), 10);
});

test.each([
  ['10', 100],
  ['7', 0],
  ['0', -100],
])('answers of %s alone have the score %d without a margin', (value, score) => {
  expect(npsOf(new Map([[value, 3]]))).toMatchObject({ score, margin: 0 });
});

test('there is no score without answers', () => {
  expect(npsOf(new Map())).toEqual({ promoters: 0, passives: 0, detractors: 0 });
});

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
