import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRefusalCache } from './refusals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a refusal is kept for a while after the last time', () => {
  const refusals = createRefusalCache(1_000, 10);
  expect(refusals.has('one')).toBe(false);
  refusals.add('one');
  vi.advanceTimersByTime(900);
  refusals.add('one');
  vi.advanceTimersByTime(900);
  expect([refusals.has('one'), refusals.has('two')]).toEqual([true, false]);
  vi.advanceTimersByTime(100);
  expect(refusals.has('one')).toBe(false);
});

test('evicts the oldest of too many', () => {
  const refusals = createRefusalCache(1_000, 2);
  for (const what of ['one', 'two', 'one', 'three']) refusals.add(what);
  expect(['one', 'two', 'three'].filter(refusals.has)).toEqual(['one', 'three']);
});
