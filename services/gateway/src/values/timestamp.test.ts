import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant, isBefore, toTimestamp, toTimestampOrNull } from './timestamp.ts';

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

test('a timestamp of the API is parsed as the same instant', () => {
  const years = { min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(years), (at) => {
      expect(instant.parse(toTimestamp(at))).toEqual(at);
      expect(instant.parse(at.toISOString())).toEqual(at);
    }),
  );
});

test.each([
  ['2026-11-21T09:30:00+01:30', '2026-11-21T08:00:00Z'],
  ['2026-11-21T09:30:00.1239999-00:30', '2026-11-21T10:00:00.123Z'],
  ['2026-11-21T09:30', '2026-11-21T09:30:00Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
])('%s is the instant %s', (text, at) => {
  expect(instant.parse(text)).toEqual(new Date(at));
});

test.each([
  '',
  '2026-11-21',
  '2026-02-29T00:00:00Z',
  '2026-11-21T24:00:00Z',
  '2026-11-21 09:30:00Z',
  '2026-11-21T09:30:00+1',
  '2026-11-21T09:30:00 01:00',
  '1969-12-31T23:59:59Z',
  '9999-12-31T23:59:59-00:01',
  '1795253400',
])('%j is not an instant', (text) => {
  expect(instant.safeParse(text).error?.issues).toHaveLength(1);
});

test('a period ends after its start, or lacks one of them', () => {
  const [since, until] = [new Date(1), new Date(2)];
  expect([isBefore({}), isBefore({ since }), isBefore({ until }), isBefore({ since, until })]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([isBefore({ since, until: since }), isBefore({ since: until, until: since })]).toEqual([
    false,
    false,
  ]);
});
