import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const nowMs = Date.UTC(2026, 10, 21, 12);
const day = 24 * 60 * 60 * 1_000;

test.each([
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
  ['86401', day],
  ['9999999999', day],
  ['9'.repeat(400), day],
  ['Sun, 21 Nov 2027 12:00:00 GMT', day],
  ['Sat, 21 Nov 2026 11:59:59 GMT', undefined],
  ['Sun, 06 Nov 1994 08:49:37 GMT', undefined],
  ['Wed, 31 Feb 2027 12:00:00 GMT', undefined],
  ['Sat, 21 Nov 2026 24:00:00 GMT', undefined],
  ['Saturday, 21-Nov-26 12:01:00 GMT', undefined],
  ['Sat Nov 21 12:01:00 2026', undefined],
  ['0', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['tomorrow', undefined],
  ['2026-11-21T12:01:00Z', undefined],
  ['', undefined],
  [null, undefined],
])('%j', (value, expected) => {
  expect(retryAfterMs(value, nowMs)).toBe(expected);
});

test('for any answer, the pause is none or at most a day', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const waitMs = retryAfterMs(value, nowMs) ?? 1;
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(day);
    }),
  );
});
