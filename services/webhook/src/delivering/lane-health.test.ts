import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  breakerStep,
  hasFailedTooLong,
  isPromptResult,
  isUnanswered,
  type LaneAfter,
  warningOf,
} from './lane-health.ts';

const day = 24 * 60 * 60 * 1_000;

const lane = (of: Partial<LaneAfter> = {}): LaneAfter => ({
  openings: 0,
  unanswered: 0,
  windowAttempts: 0,
  windowFailures: 0,
  failingSince: null,
  failingAgainAt: null,
  warnedFor: null,
  hasSucceeded: false,
  hasProbeFailed: false,
  ...of,
});

const anyLane: fc.Arbitrary<LaneAfter> = fc
  .record({
    openings: fc.nat(40),
    unanswered: fc.nat(20),
    windowAttempts: fc.nat(200),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    hasSucceeded: fc.boolean(),
    hasProbeFailed: fc.boolean(),
  })
  .map(({ share, ...of }) => lane({ ...of, windowFailures: Math.floor(of.windowAttempts * share) }));

test('a closed breaker opens exactly when nobody answers five times, or seven of ten fail', () => {
  fc.assert(
    fc.property(anyLane, (of) => {
      const { unanswered, windowAttempts, windowFailures } = of;
      const isDue = unanswered >= 5 || (windowAttempts >= 10 && windowFailures * 10 >= windowAttempts * 7);
      expect(breakerStep({ ...of, openings: 0 })).toEqual(
        isDue ? { openings: 1, pauseMs: 30_000 } : undefined,
      );
    }),
  );
});

test('an open breaker is closed by a success, and by nothing else', () => {
  fc.assert(
    fc.property(anyLane, (of) => {
      const step = breakerStep({ ...of, openings: of.openings + 1 });
      expect(step?.openings === 0).toBe(of.hasSucceeded);
    }),
  );
});

test('each failed probe doubles the pause, from half a minute to ten minutes; what was under way before does not', () => {
  const pauses: (number | null | undefined)[] = [];
  for (let openings = 1; openings <= 6; openings += 1) {
    pauses.push(breakerStep(lane({ openings, hasProbeFailed: true }))?.pauseMs);
  }
  expect(pauses).toEqual([60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
  expect(breakerStep(lane({ openings: 1, unanswered: 9, windowAttempts: 20, windowFailures: 20 }))).toBe(
    undefined,
  );
});

test('pauses grow with every opening and never leave their bounds', () => {
  fc.assert(
    fc.property(fc.nat(2_000), (openings) => {
      const pauseOf = (after: number) =>
        breakerStep(lane({ openings: after, hasProbeFailed: true }))?.pauseMs ?? 0;
      expect(pauseOf(openings + 1)).toBeGreaterThanOrEqual(30_000);
      expect(pauseOf(openings + 1)).toBeLessThanOrEqual(600_000);
      expect(pauseOf(openings + 2)).toBeGreaterThanOrEqual(pauseOf(openings + 1));
    }),
  );
});

test.each([
  ['no failure', null, null, false],
  ['one failure, long ago', 9, null, false],
  ['four days of failures', 4, 3, false],
  ['five days of failures', 5, 4, true],
])('%s', (_, sinceDays, againDays, expected) => {
  const nowMs = Date.now();
  const at = (days: number | null) => (days === null ? null : new Date(nowMs - days * day));
  expect(hasFailedTooLong({ failingSince: at(sinceDays), failingAgainAt: at(againDays) }, nowMs)).toBe(
    expected,
  );
});

test('of five days of failures is warned after half, 70 and 90 %: of each once, and of the last that is over', () => {
  const sinceMs = Date.UTC(2026, 0, 1);
  const failingSince = new Date(sinceMs);
  const failingAgainAt = new Date(sinceMs + day);
  let warnedFor: Date | null = null;
  const given: { share: number; afterDays: number }[] = [];
  for (let afterDays = 0; afterDays <= 5; afterDays += 0.125) {
    const warning = warningOf({ failingSince, failingAgainAt, warnedFor }, sinceMs + afterDays * day);
    if (!warning) continue;
    expect(warning.disabledAt).toEqual(new Date(sinceMs + 5 * day));
    expect(warning.dueAt).toEqual(new Date(sinceMs + warning.share * 5 * day));
    given.push({ share: warning.share, afterDays });
    warnedFor = warning.dueAt;
  }
  expect(given).toEqual([
    { share: 0.5, afterDays: 2.5 },
    { share: 0.7, afterDays: 3.5 },
    { share: 0.9, afterDays: 4.5 },
  ]);
  const late = warningOf({ failingSince, failingAgainAt, warnedFor: null }, sinceMs + 4 * day);
  expect(late).toMatchObject({ share: 0.7 });
  // What was said of an earlier stretch is not said of this one.
  const earlier = warningOf({ failingSince, failingAgainAt, warnedFor: failingSince }, sinceMs + 3 * day);
  expect(earlier).toMatchObject({ share: 0.5 });
});

test('of failures that would not disable a webhook nobody is warned', () => {
  const failingSince = new Date(0);
  expect(warningOf(lane({ failingSince }), 9 * day)).toBe(undefined);
  expect(warningOf(lane(), 9 * day)).toBe(undefined);
});

test('an answer is an answer, whatever it says; one that does not come to its end is none', () => {
  expect(isUnanswered({ status: 500, error: 'http_500' })).toBe(false);
  expect(isUnanswered({ status: null, error: 'refused' })).toBe(true);
  expect(isUnanswered({ status: 200, error: 'timeout_total' })).toBe(true);
  expect(isUnanswered({ status: 200, error: null })).toBe(false);
  // We turned round: of the receiver it says nothing.
  expect(isUnanswered({ status: null, error: 'blocked_address' })).toBe(false);
});

test('prompt is a success within two seconds', () => {
  expect(isPromptResult({ error: null, durationMs: 2_000 })).toBe(true);
  expect(isPromptResult({ error: null, durationMs: 2_001 })).toBe(false);
  expect(isPromptResult({ error: 'http_500', durationMs: 1 })).toBe(false);
});
