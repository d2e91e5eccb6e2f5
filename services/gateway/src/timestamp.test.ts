import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toTimestamp, toTimestampOrNull } from './timestamp.ts';

test('an instant has six fractional digits and no zone', () => {
  expect(toTimestamp(new Date('2026-11-21T09:30:00.123Z'))).toBe('2026-11-21T09:30:00.123000');
  expect(toTimestampOrNull(null)).toBeNull();
});

test('read as UTC it is the same instant', () => {
  const years = { min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(years), (instant) => {
      const written = toTimestamp(instant);
      expect(written).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
      expect(Date.parse(`${written}Z`)).toBe(instant.getTime());
    }),
  );
});
