import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadlines, type Expiring } from './deadlines.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const inMs = (ms: number): Expiring => ({ expiresAtMs: performance.now() + ms });

test('each item expires at most ten milliseconds after its deadline', () => {
  const lateMs = new Map<Expiring, number>();
  const deadlines = new Deadlines<Expiring>((item) => lateMs.set(item, performance.now() - item.expiresAtMs));
  const items = [5_000, 100, 101, 250, 3].map(inMs);
  for (const item of items) deadlines.add(item);
  for (let ms = 0; ms < 5_050; ms += 1) vi.advanceTimersByTime(1);
  expect(lateMs.size).toBe(items.length);
  for (const late of lateMs.values()) {
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThanOrEqual(11);
  }
});

test('a deleted item does not expire, and many items share one timer', () => {
  const expired: Expiring[] = [];
  const deadlines = new Deadlines<Expiring>((item) => expired.push(item));
  for (let count = 0; count < 1_000; count += 1) {
    const item = inMs(5_000);
    deadlines.add(item);
    expect(vi.getTimerCount()).toBe(1);
    deadlines.delete(item);
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(10_000);
  expect(expired).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('an item can be added while another expires', () => {
  const expired: Expiring[] = [];
  const deadlines = new Deadlines<Expiring>((item) => {
    expired.push(item);
    if (expired.length < 3) deadlines.add(inMs(20));
  });
  deadlines.add(inMs(20));
  vi.advanceTimersByTime(200);
  expect(expired).toHaveLength(3);
});

test('a deadline beyond the longest timer is not early, and costs few wake-ups', () => {
  const expired: Expiring[] = [];
  const deadlines = new Deadlines<Expiring>((item) => expired.push(item));
  const item = inMs(2 ** 32 - 1);
  deadlines.add(item);
  for (let looks = 0; looks < 3; looks += 1) vi.advanceTimersToNextTimer();
  expect(expired).toEqual([item]);
  expect(performance.now()).toBeGreaterThanOrEqual(item.expiresAtMs);
});
