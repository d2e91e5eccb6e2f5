import { expect, test } from 'vitest';
import { isZone, startOfDayIn } from './zone.ts';

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
