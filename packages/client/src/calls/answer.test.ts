import { expect, test } from 'vitest';
import { retryAfterSeconds } from './answer.ts';

const nowMs = Date.parse('2026-11-22T10:00:00.500Z');

test.each([
  ['0', 0],
  ['17', 17],
  ['Sun, 22 Nov 2026 10:00:30 GMT', 30],
  ['Sun, 22 Nov 2026 09:59:00 GMT', 0],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['0x10', undefined],
  ['soon', undefined],
  ['2026-11-22T10:00:30Z', undefined],
  ['Sun, 99 Nov 2026 10:00:30 GMT', undefined],
])('Retry-After: %s', (value, expected) => {
  expect(retryAfterSeconds(new Headers({ 'retry-after': value }), nowMs)).toBe(expected);
});

test('a date is compared with that of the answer, not with the local clock', () => {
  const headers = {
    'retry-after': 'Sun, 22 Nov 2026 12:00:07 GMT',
    date: 'Sun, 22 Nov 2026 12:00:00 GMT',
  };
  expect(retryAfterSeconds(new Headers(headers), nowMs)).toBe(7);
  expect(retryAfterSeconds(new Headers(), nowMs)).toBeUndefined();
});
