import { expect, test } from 'vitest';
import { type Breaker, breakerPauseMs, closedBreaker, countAttempt, nextOpenings } from './breaker.ts';

const second = 1_000;
const minute = 60 * second;
const success = { isSuccess: true, isSilent: false };
const failure = { isSuccess: false, isSilent: false };
const silence = { isSuccess: false, isSilent: true };
type Kind = typeof success;

/**
 * Counts one attempt each second of a closed breaker. Returns after how many it opened; undefined: it stayed closed.
 */
function opensAfter(kinds: readonly Kind[], apartMs = second): number | undefined {
  let breaker: Breaker = closedBreaker(0);
  for (const [at, kind] of kinds.entries()) {
    breaker = countAttempt(breaker, { ...kind, nowMs: at * apartMs });
    const openings = nextOpenings(breaker, { openings: 0, isSuccess: kind.isSuccess, isProbe: false });
    if (openings === 0) continue;
    expect(openings).toBe(1);
    return at + 1;
  }
  return undefined;
}

const times = (number: number, kind: Kind): Kind[] => Array(number).fill(kind);

test('five attempts without an answer in a row open it', () => {
  expect(opensAfter(times(9, silence))).toBe(5);
  expect(opensAfter([...times(4, silence), success, ...times(4, silence)])).toBeUndefined();
  expect(opensAfter([...times(4, silence), failure, ...times(4, silence)])).toBeUndefined();
});

test('attempts without an answer are counted over hours: they need not be within five minutes', () => {
  expect(opensAfter(times(5, silence), 60 * minute)).toBe(5);
});

test('ten attempts of which 70 % failed open it', () => {
  expect(opensAfter(times(20, failure))).toBe(10);
  expect(opensAfter([...times(3, success), ...times(7, failure)])).toBe(10);
  expect(opensAfter([...times(4, success), ...times(6, failure)])).toBeUndefined();
  expect(opensAfter([...times(6, success), ...times(14, failure)])).toBe(20);
});

test('what happened more than five minutes before is not counted', () => {
  expect(opensAfter(times(9, failure), 40 * second)).toBeUndefined();
  expect(opensAfter(times(30, failure), 34 * second)).toBeUndefined();
  expect(opensAfter(times(30, failure), 33 * second)).toBe(10);
});

test('each failed probe doubles the pause, from 30 seconds to 10 minutes', () => {
  const pausesMs: number[] = [];
  for (let openings = 1; openings < 8; ) {
    pausesMs.push(breakerPauseMs(openings));
    openings = nextOpenings(closedBreaker(0), { openings, isSuccess: false, isProbe: true });
  }
  expect(pausesMs).toEqual([0.5, 1, 2, 4, 8, 10, 10].map((minutes) => minutes * minute));
});

test('what was in flight when it opened does not lengthen the pause', () => {
  const counts = { unanswered: 30, windowStartedAtMs: 0, attempts: 30, failures: 30 };
  expect(nextOpenings(counts, { openings: 3, isSuccess: false, isProbe: false })).toBe(3);
});

test('one success closes it, also of what was in flight before', () => {
  for (const isProbe of [true, false]) {
    expect(nextOpenings(closedBreaker(0), { openings: 6, isSuccess: true, isProbe })).toBe(0);
  }
});
