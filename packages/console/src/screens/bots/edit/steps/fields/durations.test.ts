import fc from 'fast-check';
import { expect, test } from 'vitest';
import { durationOf, secondsOf } from './durations.ts';

test('a duration is shown in the largest unit that needs no fraction, and is entered as it is shown', () => {
  expect([durationOf(86_400), durationOf(5_400), durationOf(61)]).toEqual([
    { count: 1, unit: 'days' },
    { count: 90, unit: 'minutes' },
    { count: 61, unit: 'seconds' },
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 15_552_000 }), (seconds) => {
      const { count, unit } = durationOf(seconds);
      expect(secondsOf(String(count), unit)).toBe(seconds);
    }),
  );
  expect([secondsOf('1,5', 'hours'), secondsOf('', 'hours'), secondsOf('soon', 'days')]).toEqual([
    5_400,
    undefined,
    undefined,
  ]);
});
