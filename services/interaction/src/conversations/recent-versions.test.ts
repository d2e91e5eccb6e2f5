import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRecentVersions } from './recent-versions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('keeps the highest version for its time, and then evicts it', async () => {
  const recent = createRecentVersions(1_000);
  recent.add('a', 3);
  recent.add('a', 2);
  await vi.advanceTimersByTimeAsync(999);
  recent.add('b', 1);
  await vi.advanceTimersByTimeAsync(999);
  recent.add('c', 1);
  expect([recent.get('a'), recent.get('b'), recent.get('never')]).toEqual([3, 1, 0]);
  await vi.advanceTimersByTimeAsync(1_000);
  recent.add('d', 1);
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([0, 0, 1]);
});
