import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelayMs, standardDelaysMs } from './backoff.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('a pause is within 20 % of the schedule, for any random number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), random, (attempt, dice) => {
      const planned = standardDelaysMs[attempt - 1] ?? 0;
      const delay = retryDelayMs(attempt, standardDelaysMs, dice) ?? -1;
      expect(delay).toBeGreaterThanOrEqual(planned * 0.8);
      expect(delay).toBeLessThanOrEqual(planned * 1.2);
    }),
  );
});

test('pauses grow from attempt to attempt, for any random number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), random, random, (attempt, first, second) => {
      const delay = retryDelayMs(attempt, standardDelaysMs, first) ?? Number.NaN;
      expect(retryDelayMs(attempt + 1, standardDelaysMs, second)).toBeGreaterThan(delay);
    }),
  );
});

test('the eleventh attempt is the last, some 75 hours after the first', () => {
  expect(retryDelayMs(10, standardDelaysMs, 0.5)).toBe(24 * 3_600_000);
  expect(retryDelayMs(11, standardDelaysMs, 0.5)).toBeUndefined();
  const hours = standardDelaysMs.reduce((sum, delay) => sum + delay, 0) / 3_600_000;
  expect(hours).toBeCloseTo(75.6, 1);
});

test('the schedule is the one that is promised', () => {
  expect(standardDelaysMs.map((delay) => delay / 1_000)).toEqual([
    5, 30, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
  ]);
});
