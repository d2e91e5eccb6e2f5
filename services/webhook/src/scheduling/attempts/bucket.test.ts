import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bucket, drainedAt, takeToken, tokenAtMs } from './bucket.ts';

const bucket = fc.record({
  perSecond: fc.constantFrom(0.001, 0.3, 1, 7, 1_000),
  burst: fc.integer({ min: 1, max: 20 }),
  fullAtMs: fc.integer({ min: 0, max: 5_000 }),
});
const pausesMs = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 60 });

/** Takes a token after each pause if there is one by then. Returns when. */
function takeAfter(from: Bucket, pauses: readonly number[], startMs: number): [Bucket, number[]] {
  const taken: number[] = [];
  let [left, nowMs] = [from, startMs];
  for (const pauseMs of pauses) {
    nowMs += pauseMs;
    if (tokenAtMs(left, 1) > nowMs) continue;
    left = takeToken(left, nowMs);
    taken.push(nowMs);
  }
  return [left, taken];
}

/** No window has more starts than the burst and what its length allows. */
function expectWithinLimit({ perSecond, burst }: Bucket, taken: readonly number[]): void {
  for (const [first, fromMs] of taken.entries()) {
    for (const [at, toMs] of taken.entries()) {
      const allowed = burst + ((toMs - fromMs) * perSecond) / 1_000 + 1e-6;
      if (at >= first) expect(at - first + 1).toBeLessThanOrEqual(allowed);
    }
  }
}

test('in no stretch of time are more tokens taken than the burst and the rate allow', () => {
  fc.assert(
    fc.property(bucket, pausesMs, (full, pauses) => expectWithinLimit(full, takeAfter(full, pauses, 0)[1])),
  );
});

test('nor when a new owner knows an old state only, and takes it as drained at the end of the last lease', () => {
  const saves = fc.nat({ max: 60 });
  fc.assert(
    fc.property(bucket, pausesMs, saves, pausesMs, (full, before, saveAfter, after) => {
      const [saved] = takeAfter(full, before.slice(0, saveAfter), 0);
      const [, old] = takeAfter(full, before, 0);
      const endMs = before.reduce((sum, ms) => sum + ms, 0);
      const [, young] = takeAfter(drainedAt(saved, endMs), after, endMs);
      expectWithinLimit(full, [...old, ...young]);
    }),
  );
});

test('a full bucket has its burst at once, and never more', () => {
  fc.assert(
    fc.property(bucket, ({ perSecond, burst, fullAtMs }) => {
      const full = { perSecond, burst, fullAtMs };
      expect(tokenAtMs(full, burst)).toBe(fullAtMs);
      expect(tokenAtMs(full, burst + 1)).toBe(Number.POSITIVE_INFINITY);
      // Instants are rounded, so a token may be there by a fraction of a microsecond later.
      const [, taken] = takeAfter(full, Array(burst + 1).fill(1e-6), fullAtMs);
      expect(taken).toHaveLength(burst);
    }),
  );
});

test('a drained bucket has one token after the time of one token', () => {
  const full = { perSecond: 4, burst: 8, fullAtMs: 0 };
  expect(tokenAtMs(drainedAt(full, 1_000), 1)).toBe(1_250);
  expect(tokenAtMs(drainedAt(full, 1_000), 8)).toBe(3_000);
});

test('draining never fills a bucket', () => {
  const emptier = { perSecond: 4, burst: 8, fullAtMs: 9_000 };
  expect(drainedAt(emptier, 1_000)).toEqual(emptier);
});
