import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { browserZone } from '../../data/zone.ts';
import { daysOf, periodOf, zoneOf } from './insight-query.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-15T23:30:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the time zone is that of the address, or that of the browser', () => {
  expect(zoneOf({ tz: 'Asia/Tokyo' })).toBe('Asia/Tokyo');
  for (const tz of ['Nowhere/At_All', '+01:00', '']) expect(zoneOf({ tz })).toBe(browserZone());
  expect(zoneOf({})).toBe(browserZone());
});

test('a window ends today in the time zone of the address, and has that many days', () => {
  expect(daysOf({ tz: 'UTC' })).toEqual({ from: '2026-02-14', to: '2026-03-15' });
  expect(daysOf({ tz: 'UTC', window: '7' })).toEqual({ from: '2026-03-09', to: '2026-03-15' });
  // There it is tomorrow already.
  expect(daysOf({ tz: 'Asia/Tokyo', window: '7' })).toEqual({ from: '2026-03-10', to: '2026-03-16' });
});

test('own days need no second one, and days of another window are ignored', () => {
  const tz = 'UTC';
  expect(daysOf({ tz, window: 'custom', from: '2026-01-01', to: '2026-01-31' })).toEqual({
    from: '2026-01-01',
    to: '2026-01-31',
  });
  expect(daysOf({ tz, window: 'custom' })).toEqual({ from: '2026-02-14', to: '2026-03-15' });
  expect(daysOf({ tz, window: '7', from: '2026-01-01' }).from).toBe('2026-03-09');
});

test('a list of interactions gets days of the browser, or instants of another zone with the last day', () => {
  const own = { tz: browserZone(), window: 'custom', from: '2026-01-01', to: '2026-01-31' };
  expect(periodOf(own)).toEqual({ from: '2026-01-01', to: '2026-01-31' });
  const tz = browserZone() === 'Asia/Tokyo' ? 'Asia/Seoul' : 'Asia/Tokyo';
  expect(periodOf({ ...own, tz })).toEqual({
    from: '2025-12-31T15:00:00.000Z',
    to: '2026-01-31T15:00:00.000Z',
  });
});
