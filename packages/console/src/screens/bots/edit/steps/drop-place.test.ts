import { expect, test } from 'vitest';
import { dropIndex, dropSide, scrollStep } from './drop-place.ts';

test('a dragged step gets the place between the steps above and below it', () => {
  const middles = [50, 150, 250];
  expect([0, 100, 200, 300].map((y) => dropIndex(middles, 0, y))).toEqual([0, 0, 1, 2]);
  expect([0, 100, 200, 300].map((y) => dropIndex(middles, 2, y))).toEqual([0, 1, 2, 2]);
  expect(dropIndex([], 0, 10)).toBe(0);
});

test('the page scrolls near its edges', () => {
  expect([10, 400, 790].map((y) => Math.sign(scrollStep(y, 800)))).toEqual([-1, 0, 1]);
});

test('a line shows where the step would be', () => {
  expect([0, 1, 2].map((index) => dropSide({ from: 1, to: 0 }, index))).toEqual([
    'above',
    undefined,
    undefined,
  ]);
  expect([0, 1, 2].map((index) => dropSide({ from: 0, to: 2 }, index))).toEqual([
    undefined,
    undefined,
    'below',
  ]);
  expect(dropSide({ from: 1, to: 1 }, 1)).toBeUndefined();
  expect(dropSide(undefined, 1)).toBeUndefined();
});
