import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restartDelayMs } from './restart-delay.ts';

test('the first restart is at once, the next ones wait twice as long each, at most five seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7].map(restartDelayMs)).toEqual([
    0, 200, 400, 800, 1_600, 3_200, 5_000, 5_000,
  ]);
});

test('the delay never falls and never passes its bound, however long a child fails', () => {
  fc.assert(
    fc.property(fc.nat(10_000), (failures) => {
      expect(restartDelayMs(failures + 1)).toBeGreaterThanOrEqual(restartDelayMs(failures));
      expect(restartDelayMs(failures)).toBeLessThanOrEqual(5_000);
    }),
  );
});
