import { expect, test } from 'vitest';
import { leastPx, narrowest, readWidths, widest, withinLimits } from './widths.ts';

test('stored widths are read, and none of what somebody else has written', () => {
  expect(readWidths(null)).toEqual({});
  expect(readWidths('{"status":120,"bot":"wide","customer":null}')).toEqual({ status: 120 });
  for (const text of ['nonsense', 'null', '7', '[]']) expect(readWidths(text)).toEqual({});
});

test('a column is never too narrow or too wide', () => {
  expect([1, 100.4, 5_000].map(withinLimits)).toEqual([narrowest, 100, widest]);
});

test.each([
  ['minmax(9rem,1.6fr)', 144],
  ['5rem', 80],
  ['120px', 120],
  ['1fr', 0],
])('the least width of %s is %i pixels', (track, px) => {
  expect(leastPx(track)).toBe(px);
});
