import { expect, test } from 'vitest';
import { lanesMax, nextLanes } from './claim-lanes.ts';

const full = { slots: 192, taken: 192, isMore: true };

test('where few lanes fill all slots, claims take of fewer, down to a dozen', () => {
  const seen = [lanesMax];
  while (seen.length < 5) seen.push(nextLanes(seen.at(-1) ?? 0, full));
  expect(seen).toEqual([64, 32, 16, 12, 12]);
});

test('where they do not, claims take of more while there are more, up to all that they see', () => {
  const seen = [12];
  while (seen.length < 5) seen.push(nextLanes(seen.at(-1) ?? 0, { slots: 192, taken: 40, isMore: true }));
  expect(seen).toEqual([12, 24, 48, 64, 64]);
});

test('when nothing is left, nothing is learnt', () => {
  expect(nextLanes(24, { slots: 192, taken: 5, isMore: false })).toBe(24);
});
