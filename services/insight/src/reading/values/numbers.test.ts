import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numbersOf } from './numbers.ts';

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
