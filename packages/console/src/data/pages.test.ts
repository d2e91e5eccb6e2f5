import { expect, test } from 'vitest';
import { pagesOf } from './pages.ts';

test.each([
  [0, 0, [1], 0],
  [0, 49, [1], 0],
  [49, 50, [1, 2], 49],
  [120, 260, [3, 4, 5, 6], 20],
  // The list is shown before its first row.
  [-5, 10, [1], 0],
])('the rows from %i to %i are on pages %j, after %i others', (first, last, numbers, skipped) => {
  expect(pagesOf(first, last)).toEqual({ numbers, skipped });
});
