import { expect, test } from 'vitest';
import { decimal, duration, localTime, percent } from './units.ts';

test.each([
  [null, '-'],
  [0, '0 s'],
  [0.5, '0.5 s'],
  [9.94, '9.9 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [129.6, '2 min 10 s'],
  [120, '2 min'],
  [3_599.6, '1 h'],
  [3_660, '1 h 1 min'],
  [3_689.9, '1 h 1 min'],
  [86_399, '1 d'],
  [90_000, '1 d 1 h'],
  [2_592_000, '30 d'],
])('%s seconds are %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test('shares and numbers are rounded, and those that do not exist are a dash', () => {
  expect([percent(1 / 8), percent(2 / 3), percent(0)]).toEqual(['12.5 %', '66.7 %', '0.0 %']);
  expect([decimal(4.256, 2), decimal(7, 2), decimal(-0.001, 1), decimal(null, 1)]).toEqual([
    '4.26',
    '7',
    '0',
    '-',
  ]);
});

test('instants are shown in the time zone', () => {
  expect(localTime('2026-11-21T09:30:00.123000', 'UTC')).toBe('2026-11-21 09:30:00');
  expect(localTime('2026-11-21T19:30:00.123000', 'Asia/Kolkata')).toBe('2026-11-22 01:00:00');
});
