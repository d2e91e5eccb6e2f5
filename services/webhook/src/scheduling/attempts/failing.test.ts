import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Failing, failed, failingMsMax, hasFailedTooLong, warningOf } from './failing.ts';

const hour = 60 * 60 * 1_000;
const day = 24 * hour;
const working: Failing = { failingSinceMs: null, failingAgainAtMs: null, warnedForMs: null };

/** What is known after failures at these instants, and no success. */
const after = (...atMs: number[]): Failing =>
  atMs.reduce<Failing>((failing, nowMs) => ({ ...failing, ...failed(failing, nowMs) }), working);

test('a webhook fails since the first failure, and again since the first that is twelve hours later', () => {
  expect(after(10, 12 * hour, 12 * hour + 10, 30 * hour)).toEqual({
    ...working,
    failingSinceMs: 10,
    failingAgainAtMs: 12 * hour + 10,
  });
});

test('after five days and at least three failures it has failed too long', () => {
  const failing = after(0, 13 * hour, 5 * day);
  expect(hasFailedTooLong(failing, 5 * day - 1)).toBe(false);
  expect(hasFailedTooLong(failing, 5 * day)).toBe(true);
});

test('failures at the two ends only are too few: the webhook is hardly used', () => {
  expect(hasFailedTooLong(after(0, hour, 5 * day), 5 * day)).toBe(false);
  // As when the clock is set forward by days.
  expect(hasFailedTooLong(after(0, hour, 5 * day, 5 * day + 1), 5 * day + 1)).toBe(false);
  expect(hasFailedTooLong(after(0, hour, 5 * day, 6 * day), 6 * day)).toBe(true);
});

test('a webhook that works has not failed', () => {
  expect(hasFailedTooLong(working, 100 * day)).toBe(false);
  expect(warningOf(working, 100 * day)).toBeUndefined();
});

test('warnings come after half, 70 and 90 % of the days, each once', () => {
  let failing = after(0, 13 * hour);
  const given: [number, number][] = [];
  for (let nowMs = 14 * hour; nowMs < 5 * day; nowMs += hour) {
    const warning = warningOf(failing, nowMs);
    if (!warning) continue;
    expect(warning.disabledAtMs).toBe(failingMsMax);
    expect(warning.dueAtMs).toBe(warning.share * failingMsMax);
    given.push([warning.share, nowMs / hour]);
    failing = { ...failing, warnedForMs: warning.dueAtMs };
  }
  expect(given).toEqual([
    [0.5, 60],
    [0.7, 84],
    [0.9, 108],
  ]);
});

test('after a long time without attempts only the latest warning is given', () => {
  expect(warningOf(after(0, 13 * hour), 4.6 * day)?.share).toBe(0.9);
});

test('warnings of an earlier stretch of failures do not count for this one', () => {
  const failing = { ...after(10 * day, 10 * day + 13 * hour), warnedForMs: 4.5 * day };
  expect(warningOf(failing, 12.5 * day)?.share).toBe(0.5);
});

test('no webhook is disabled before its five days are over, and none without a warning that was due', () => {
  const failures = fc.array(fc.integer({ min: 0, max: 8 * day }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(failures, (atMs) => {
      const sorted = atMs.toSorted((one, other) => one - other);
      const nowMs = sorted.at(-1) ?? 0;
      const failing = after(...sorted);
      if (!hasFailedTooLong(failing, nowMs)) return;
      expect(nowMs - (sorted[0] ?? 0)).toBeGreaterThanOrEqual(failingMsMax);
      expect(warningOf(failing, nowMs)?.share).toBe(0.9);
    }),
  );
});
