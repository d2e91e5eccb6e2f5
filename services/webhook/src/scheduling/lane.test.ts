import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AttemptResult } from '../sending/attempt.ts';
import {
  capacity,
  inFlightLimit,
  isUndelayedSince,
  type Lane,
  openLane,
  settle,
  start,
  startableAtMs,
} from './lane.ts';
import { decideNextState } from './attempts/next-state.ts';

const second = 1_000;
const hour = 3_600_000;

function laneOf(of: Partial<Lane> = {}): Lane {
  const read = {
    webhookId: 'w',
    workspaceId: 'a',
    target: { url: '', event: '', secretToken: '', headers: null, secrets: [] },
    revision: 1,
    epoch: 1,
    openings: 0,
    pausedUntilMs: null,
    pauseReason: null,
    lastSuccessAtMs: null,
    failingSinceMs: null,
    failingAgainAtMs: null,
    warnedForMs: null,
    bucket: null,
  };
  return Object.assign(openLane(read, 0), of);
}

type Answer = Partial<Pick<AttemptResult, 'status' | 'error' | 'retryAfter' | 'durationMs'>>;
const success: Answer = { status: 200, error: null };
const failure: Answer = { status: 500, error: 'http_500' };
const silence: Answer = { status: null, error: 'timeout_total', durationMs: 20 * second };
const busy = (status: 429 | 503, seconds: number): Answer => ({
  status,
  error: `http_${status}`,
  retryAfter: String(seconds),
});

/** Settles an attempt that was started before. */
function end(lane: Lane, answer: Answer, nowMs: number, isProbe = lane.openings > 0) {
  const latency = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
  const more = { startedAt: new Date(0), durationMs: 5, latency, excerpt: Buffer.of(), isCut: false };
  const result: AttemptResult = { status: 200, error: null, retryAfter: null, ...more, ...answer };
  const next = decideNextState(
    result,
    { attempt: 1, createdAtMs: nowMs, plannedAtMs: null },
    { nowMs, delaysMs: [second], random: 0.5 },
  );
  lane.inFlight -= 1;
  return settle(lane, result, { next, isProbe, nowMs });
}

/** Starts and ends as many attempts, one after another. */
function attempt(lane: Lane, answer: Answer, number = 1, nowMs = 0) {
  return Array.from({ length: number }, () => {
    start(lane, nowMs);
    return end(lane, answer, nowMs);
  });
}

test('a lane starts with one in flight, and may have one more after each success, up to 32', () => {
  const lane = laneOf();
  const capacities = Array.from({ length: 40 }, () => {
    const before = capacity(lane, 0);
    attempt(lane, success);
    return before;
  });
  expect(capacities.slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect(capacities.at(-1)).toBe(inFlightLimit);
});

test('what is in flight takes capacity', () => {
  const lane = laneOf({ inFlightMax: 3 });
  start(lane, 0);
  expect(capacity(lane, 0)).toBe(2);
  start(lane, 0);
  start(lane, 0);
  expect(capacity(lane, 0)).toBe(0);
});

test('an attempt without an answer halves what a lane may have in flight, an answer that is a failure does not', () => {
  const lane = laneOf({ inFlightMax: 9 });
  attempt(lane, failure);
  expect(lane.inFlightMax).toBe(9);
  attempt(lane, silence);
  expect(lane.inFlightMax).toBe(4);
  attempt(lane, { status: null, error: 'blocked_address' });
  expect(lane.inFlightMax).toBe(4);
});

test('an answer whose end does not come in time is none', () => {
  const lane = laneOf({ inFlightMax: 8 });
  attempt(lane, { status: 200, error: 'timeout_total' });
  expect(lane.inFlightMax).toBe(4);
});

test('a lane is responsive after a success within two seconds only', () => {
  const lane = laneOf();
  expect(lane.isResponsive).toBe(true);
  for (const [answer, isResponsive] of [
    [failure, false],
    [success, true],
    [{ ...success, durationMs: 2_001 }, false],
    [{ ...success, durationMs: 2_000 }, true],
    [silence, false],
  ] as const) {
    attempt(lane, answer);
    expect(lane.isResponsive).toBe(isResponsive);
  }
});

test('a pause that the receiver asks for stops the lane, costs it nothing else and is saved', () => {
  const lane = laneOf({ inFlightMax: 8 });
  attempt(lane, busy(429, 7), 1, 100);
  const until = { pausedUntilMs: 100 + 7 * second, pauseReason: 'rate_limited' };
  expect(lane).toMatchObject({ ...until, inFlightMax: 8, isResponsive: true, isDirty: true, tallies: [] });
  expect(lane.breaker.attempts).toBe(0);
  expect(startableAtMs(lane)).toBe(until.pausedUntilMs);
  expect(capacity(lane, until.pausedUntilMs - 1)).toBe(0);
  expect(capacity(lane, until.pausedUntilMs)).toBe(8);
});

test('a lane is free since the end of its last failure, pause or open breaker', () => {
  const lane = laneOf();
  expect(isUndelayedSince(lane, 0)).toBe(true);
  attempt(lane, failure, 1, 100);
  expect(isUndelayedSince(lane, 100)).toBe(false);
  attempt(lane, success, 1, 200);
  expect([199, 200].map((ms) => isUndelayedSince(lane, ms))).toEqual([false, true]);
  attempt(lane, busy(429, 1), 1, 1_000);
  expect([1_500, 2_000].map((ms) => isUndelayedSince(lane, ms))).toEqual([false, true]);
  expect(isUndelayedSince(laneOf({ bucket: { perSecond: 1, burst: 1, fullAtMs: 0 } }), 0)).toBe(false);
});

test('of two pauses the longer one holds, with its reason', () => {
  const lane = laneOf();
  attempt(lane, busy(503, 60));
  attempt(lane, busy(429, 30));
  expect(lane).toMatchObject({ pausedUntilMs: 60 * second, pauseReason: 'unavailable' });
});

test('an open breaker lets one attempt through at a time after its pause, and a success ends it', () => {
  const lane = laneOf({ inFlightMax: 32 });
  expect(attempt(lane, silence, 5).at(-1)).toBe('open');
  expect(lane).toMatchObject({ openings: 1, pausedUntilMs: 30 * second, pauseReason: null });
  expect(capacity(lane, 30 * second - 1)).toBe(0);
  expect(capacity(lane, 30 * second)).toBe(1);
  start(lane, 30 * second);
  expect(capacity(lane, 30 * second)).toBe(0);
  expect(end(lane, silence, 50 * second)).toBe('open');
  expect(lane).toMatchObject({ openings: 2, pausedUntilMs: 110 * second });
  start(lane, 110 * second);
  expect(end(lane, success, 111 * second)).toBe('closed');
  expect(lane).toMatchObject({ openings: 0, pausedUntilMs: null, isResponsive: true });
  expect(capacity(lane, 111 * second)).toBe(1);
});

test('what was in flight when the breaker opened changes neither its pause nor what may be started', () => {
  const lane = laneOf({ inFlightMax: 32 });
  for (let at = 0; at < 20; at += 1) start(lane, 0);
  for (let at = 0; at < 20; at += 1) end(lane, failure, at, false);
  expect(lane).toMatchObject({ openings: 1, pausedUntilMs: 9 + 30 * second, inFlight: 0 });
  expect(capacity(lane, 9 + 30 * second)).toBe(1);
});

test('a lane has no more capacity than tokens, and waits for the next one', () => {
  const lane = laneOf({ inFlightMax: 8, bucket: { perSecond: 2, burst: 3, fullAtMs: 0 } });
  expect(capacity(lane, 10_000)).toBe(3);
  for (let at = 0; at < 3; at += 1) start(lane, 10_000);
  expect(lane.isDirty).toBe(true);
  expect(capacity(lane, 10_000)).toBe(0);
  expect(startableAtMs(lane)).toBe(10_500);
  expect(capacity(lane, 10_500)).toBe(1);
});

test('an answer costs its tokens, whatever it is', () => {
  const lane = laneOf({ bucket: { perSecond: 1, burst: 2, fullAtMs: 0 } });
  attempt(lane, success, 1, 5_000);
  attempt(lane, busy(429, 1), 1, 5_000);
  expect(startableAtMs(lane)).toBe(6_000);
  expect(lane.bucket?.fullAtMs).toBe(7_000);
});

test('a success ends what is known of failures', () => {
  const lane = laneOf();
  attempt(lane, failure, 1, 10);
  attempt(lane, failure, 1, 13 * hour);
  expect(lane).toMatchObject({ failingSinceMs: 10, failingAgainAtMs: 13 * hour });
  attempt(lane, success, 1, 14 * hour);
  expect(lane).toMatchObject({ failingSinceMs: null, failingAgainAtMs: null, lastSuccessAtMs: 14 * hour });
});

test('attempts are counted by the hour', () => {
  const lane = laneOf();
  attempt(lane, success, 2, hour - 1);
  attempt(lane, { ...failure, durationMs: 50 }, 1, hour - 1);
  attempt(lane, success, 1, hour);
  expect(lane.tallies).toEqual([
    { hourMs: 0, attempts: 3, failures: 1, totalMs: 60, maxMs: 50 },
    { hourMs: hour, attempts: 1, failures: 0, totalMs: 5, maxMs: 5 },
  ]);
});

test('a lane is not stopped for longer than its receiver asks for, ten minutes, or the next token', () => {
  const step = fc.record({
    pauseMs: fc.integer({ min: 0, max: 60_000 }),
    answer: fc.constantFrom(success, failure, silence, busy(429, 3), busy(503, 900)),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.boolean(), (steps, isLimited) => {
      const lane = laneOf({ bucket: isLimited ? { perSecond: 0.5, burst: 2, fullAtMs: 0 } : null });
      let nowMs = 0;
      for (const { pauseMs, answer } of steps) {
        nowMs = Math.max(nowMs, startableAtMs(lane)) + pauseMs;
        expect(capacity(lane, nowMs)).toBeGreaterThanOrEqual(1);
        start(lane, nowMs);
        end(lane, answer, nowMs);
        expect(startableAtMs(lane) - nowMs).toBeLessThanOrEqual(900 * second);
        expect(lane.inFlightMax).toBeGreaterThanOrEqual(1);
        expect(lane.inFlightMax).toBeLessThanOrEqual(inFlightLimit);
      }
    }),
  );
});
