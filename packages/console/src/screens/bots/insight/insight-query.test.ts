import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { daysOf, periodOf } from './insight-query.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-15T23:30:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
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

test('a list of interactions gets the days of the window with their zone', () => {
  const own = { tz: 'Asia/Tokyo', window: 'custom', from: '2026-01-01', to: '2026-01-31' };
  expect(periodOf(own)).toEqual({ from: '2026-01-01', to: '2026-01-31', tz: 'Asia/Tokyo' });
});
