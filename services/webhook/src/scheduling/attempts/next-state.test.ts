import { expect, test } from 'vitest';
import type { AttemptError } from '../../sending/attempt-error.ts';
import { decideNextState, type NextState, pauseMsOf } from './next-state.ts';

const delaysMs = [100, 200];
const nowMs = Date.UTC(2026, 10, 21);
const second = 1_000;
const threeDays = 3 * 24 * 60 * 60 * second;

/** The next state after an attempt, the first one of a new delivery unless said otherwise. */
function next(
  status: number | null,
  error: AttemptError | null,
  { attempt = 1, ageMs = 0, retryAfter = null as string | null, plannedAtMs = null as number | null } = {},
): NextState {
  const delivery = { attempt, createdAtMs: nowMs - ageMs, plannedAtMs };
  return decideNextState({ status, error, retryAfter }, delivery, { nowMs, delaysMs, random: 0.5 });
}

const failed = { state: 'failed', isGone: false };
const retryIn = (delayMs: number) => ({ state: 'retry', delayMs });
const pauseFor = (delayMs: number) => ({ state: 'paused', delayMs });

test('an answer with 2xx ends the delivery', () => {
  expect(next(204, null)).toEqual({ state: 'succeeded' });
});

test('a failure is retried after the pause of its attempt', () => {
  expect(next(500, 'http_500')).toEqual(retryIn(100));
  expect(next(null, 'dns', { attempt: 2 })).toEqual(retryIn(200));
});

test('an attempt that a call has asked for leaves the time of the next planned one', () => {
  const plannedAtMs = nowMs + 3_600 * second;
  expect(next(500, 'http_500', { plannedAtMs })).toEqual(retryIn(3_600 * second));
  expect(next(500, 'http_500', { attempt: 3, plannedAtMs })).toEqual(retryIn(3_600 * second));
  expect(next(500, 'http_500', { plannedAtMs: nowMs - second })).toEqual(retryIn(0));
  expect(next(200, null, { plannedAtMs })).toEqual({ state: 'succeeded' });
  expect(next(410, 'http_410', { plannedAtMs })).toEqual({ state: 'failed', isGone: true });
});

test('the attempt after the last pause is the last', () => {
  expect(next(301, 'http_301', { attempt: 3 })).toEqual(failed);
});

test('410 ends the delivery at the first attempt and says that the receiver is gone', () => {
  expect(next(410, 'http_410')).toEqual({ state: 'failed', isGone: true });
});

test('a blocked target ends the delivery at the first attempt', () => {
  expect(next(null, 'blocked_address')).toEqual(failed);
});

test('a truncated 2xx answer is retried', () => {
  expect(next(200, 'reset')).toEqual(retryIn(100));
});

test.each([429, 503] as const)('%i with Retry-After pauses the webhook', (status) => {
  const error = `http_${status}` as const;
  expect(next(status, error, { retryAfter: '7' })).toEqual(pauseFor(7 * second));
  expect(next(status, error)).toEqual(retryIn(100));
});

test('Retry-After of other statuses is ignored', () => {
  for (const status of [301, 302, 307, 308, 400, 404, 408, 500, 502, 504] as const) {
    expect(next(status, `http_${status}`, { retryAfter: '7' })).toEqual(retryIn(100));
  }
  expect(next(200, null, { retryAfter: '7' })).toEqual({ state: 'succeeded' });
  expect(next(410, 'http_410', { retryAfter: '7' })).toEqual({ state: 'failed', isGone: true });
});

test('a pause that asks for no wait, or says nothing, is a failure like any other', () => {
  for (const retryAfter of ['0', 'soon']) {
    expect(next(503, 'http_503', { retryAfter })).toEqual(retryIn(100));
  }
});

test('the last attempt may be paused as well: it is kept', () => {
  expect(next(503, 'http_503', { attempt: 3, retryAfter: '7' })).toEqual(pauseFor(7 * second));
  expect(next(503, 'http_503', { attempt: 3 })).toEqual(failed);
});

test('for three days a delivery is paused at no cost, from then on each time costs an attempt', () => {
  const busy = (attempt: number, ageMs: number) => next(429, 'http_429', { attempt, ageMs, retryAfter: '7' });
  expect(busy(1, threeDays - 1)).toEqual(pauseFor(7 * second));
  expect(busy(1, threeDays)).toEqual(retryIn(100));
  expect(busy(3, threeDays)).toEqual(failed);
});

test('only a pause affects the whole webhook, and has its own name', () => {
  const states = [next(200, null), next(410, 'http_410'), next(500, 'http_500')];
  states.push(next(429, 'http_429', { retryAfter: '7' }));
  expect(states.map(pauseMsOf)).toEqual([null, null, null, 7 * second]);
  expect(states.map(({ state }) => state)).toEqual(['succeeded', 'failed', 'retry', 'paused']);
});
