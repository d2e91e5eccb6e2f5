import { expect, test } from 'vitest';
import { lanesSeenMax, nextLanes } from './claim-lanes.ts';

/** How many lanes claims take of, one after another, while each finds the same. */
const series = (first: number, found: Parameters<typeof nextLanes>[1]): number[] => {
  const seen = [first];
  while (seen.length < 5) seen.push(nextLanes(seen.at(-1) ?? 0, found));
  return seen;
};

test('where few lanes fill all slots, claims take of fewer: of a dozen, or a third of what is ready', () => {
  const full = { slots: 192, taken: 192, isMore: true };
  expect(series(lanesSeenMax, { ...full, ready: 20 })).toEqual([64, 32, 16, 12, 12]);
  expect(series(lanesSeenMax, { ...full, ready: 60 })).toEqual([64, 32, 20, 20, 20]);
});

test('where they do not, claims take of more while there are more, up to all that they see', () => {
  expect(series(12, { slots: 192, taken: 40, ready: 30, isMore: true })).toEqual([12, 24, 48, 64, 64]);
});

test('when nothing is left, nothing is learnt', () => {
  expect(nextLanes(24, { slots: 192, taken: 5, ready: 5, isMore: false })).toBe(24);
});

test('where more are ready than a claim sees, it takes of as many as it can', () => {
  expect(nextLanes(12, { slots: 192, taken: 192, ready: lanesSeenMax, isMore: true })).toBe(lanesSeenMax);
});
