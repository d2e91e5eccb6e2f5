import { expect, test } from 'vitest';
import { firstInflow, gatheringMs, recorded } from './inflow.ts';

/** What is judged after these batches, each so many milliseconds after the one before. */
function isBusyAfter(...batches: [size: number, afterMs: number][]): boolean {
  let nowMs = 60_000;
  let inflow = firstInflow;
  for (const [size, afterMs] of batches) {
    nowMs += afterMs;
    inflow = recorded(inflow, size, nowMs);
  }
  return inflow.isBusy;
}

test('results are gathered while 32 or more come within 25 milliseconds', () => {
  expect(isBusyAfter([1, 0], [16, 12], [16, 13])).toBe(true);
  expect(isBusyAfter([1, 0], [16, 12], [15, 13])).toBe(false);
  expect(isBusyAfter([1, 0], [256, 100])).toBe(true);
  expect(isBusyAfter([1, 0], [256, 100], [100, gatheringMs])).toBe(true);
  expect(isBusyAfter([1, 0], [256, 100], [31, gatheringMs])).toBe(false);
});

test('a handful that ends at once, as that of one event does, has the next results wait for nobody', () => {
  expect(isBusyAfter([1, 1_000], [4, 3])).toBe(false);
  expect(isBusyAfter([1, 1_000], [7, 2], [8, 2], [4, 40])).toBe(false);
});
