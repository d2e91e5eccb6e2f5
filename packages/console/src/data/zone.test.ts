import { expect, test } from 'vitest';
import { isDay } from '../search.ts';
import { browserZone, isZone, searchWithDays, startOfDayIn, withZone, zoneOf } from './zone.ts';

test.each([
  ['UTC', '2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['Pacific/Auckland', '2026-11-01', '2026-10-31T11:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-02', '2026-11-02T08:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['Asia/Kathmandu', '2026-06-01', '2026-05-31T18:15:00.000Z'],
  // Midnight is skipped.
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  // Midnight comes twice.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
])('in %s, %s begins at %s', (zone, day, start) => {
  expect(startOfDayIn(zone, day).toISOString()).toBe(start);
});

test('a day later begins a day of that zone later', () => {
  expect(startOfDayIn('America/Los_Angeles', '2026-10-31', 2).toISOString()).toBe('2026-11-02T08:00:00.000Z');
});

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Nowhere/At_All', false],
  ['+01:00', false],
  ['', false],
  [undefined, false],
])('%s is a zone: %s', (text, expected) => {
  expect(isZone(text)).toBe(expected);
});

test('the time zone is that of the address, or that of the browser', () => {
  expect(zoneOf({ tz: 'Asia/Tokyo' })).toBe('Asia/Tokyo');
  for (const tz of ['Nowhere/At_All', '+01:00', '']) expect(zoneOf({ tz })).toBe(browserZone());
  expect(zoneOf({})).toBe(browserZone());
});

test('an address has the zone of its days, and none without days', () => {
  expect(withZone({ tz: 'Asia/Tokyo' }, [undefined, '2026-01-31'])).toEqual({ tz: 'Asia/Tokyo' });
  expect(withZone({ tz: 'Nowhere' }, ['2026-01-31'])).toEqual({ tz: browserZone() });
  expect(withZone({}, ['2026-01-31'])).toEqual({ tz: browserZone() });
  expect(withZone({ tz: 'Asia/Tokyo' }, ['2026-01-31T10:00:00Z', ''])).toEqual({ tz: undefined });
  expect(withZone({}, [undefined])).toEqual({});
});

test('parameters of an address that are days bring their zone', () => {
  const read = searchWithDays({ since: isDay }, ['since']);
  expect(read({ since: '2026-01-31', tz: 'Asia/Tokyo' })).toEqual({ since: '2026-01-31', tz: 'Asia/Tokyo' });
  expect(read({ since: '2026-01-31' }).tz).toBe(browserZone());
  expect(read({ since: '2026-13-31', tz: 'Asia/Tokyo' })).toEqual({ since: undefined, tz: undefined });
});
