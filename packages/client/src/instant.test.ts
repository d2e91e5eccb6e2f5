import { expect, test } from 'vitest';
import { instant } from './instant.ts';

test('a timestamp is UTC, in any time zone', () => {
  expect(instant('2026-11-21T09:30:00.123000').toISOString()).toBe('2026-11-21T09:30:00.123Z');
  expect(instant('2026-07-01T00:00:00.000000').getTime()).toBe(Date.UTC(2026, 6, 1));
});

test.each(['', '2026-11-21', '2026-11-21T09:30:00Z', '2026-13-21T09:30:00.000000', 'soon'])(
  '%j is not a timestamp',
  (text) => {
    expect(() => instant(text)).toThrow(RangeError);
  },
);
