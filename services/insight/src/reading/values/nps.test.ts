import { expect, test } from 'vitest';
import { npsOf } from './nps.ts';

test('the score is the share of promoters without that of detractors', () => {
  const counts = new Map(Object.entries({ 0: 1, 6: 2, 7: 2, 8: 1, 9: 1, 10: 5 }));
  const nps = npsOf(counts);
  expect(nps).toMatchObject({ promoters: 6, passives: 3, detractors: 3 });
  expect(nps.score).toBeCloseTo(25, 10);
  // p = 0.5, d = 0.25, n = 12.
  expect(nps.margin).toBeCloseTo(196 * Math.sqrt((0.75 - 0.0625) / 12), 10);
});

test.each([
  ['10', 100],
  ['7', 0],
  ['0', -100],
])('answers of %s alone have the score %d without a margin', (value, score) => {
  expect(npsOf(new Map([[value, 3]]))).toMatchObject({ score, margin: 0 });
});

test('there is no score without answers', () => {
  expect(npsOf(new Map())).toEqual({ promoters: 0, passives: 0, detractors: 0 });
});
