import { expect, test } from 'vitest';
import type { AttemptError } from '../sending/attempt-error.ts';
import { pauseMsOf, type Verdict, verdict } from './verdict.ts';

const delaysMs = [100, 200];
const nowMs = Date.UTC(2026, 10, 21);
const second = 1_000;
const threeDays = 3 * 24 * 60 * 60 * second;

/** The verdict on an attempt, the first one of a new delivery unless said otherwise. */
function judged(
  status: number | null,
  error: AttemptError | null,
  { attempt = 1, ageMs = 0, retryAfter = null as string | null } = {},
): Verdict {
  const delivery = { attempt, createdAtMs: nowMs - ageMs };
  return verdict({ status, error, retryAfter }, delivery, { nowMs, delaysMs, random: 0.5 });
}

const failed = { state: 'failed', isGone: false };
const retryIn = (delayMs: number) => ({ state: 'retry', delayMs });
const pauseFor = (delayMs: number) => ({ state: 'paused', delayMs });

test('an answer with 2xx ends the delivery', () => {
  expect(judged(204, null)).toEqual({ state: 'succeeded' });
});

test('a failure is retried after the pause of its attempt', () => {
  expect(judged(500, 'http_500')).toEqual(retryIn(100));
  expect(judged(null, 'dns', { attempt: 2 })).toEqual(retryIn(200));
});

test('the attempt after the last pause is the last', () => {
  expect(judged(301, 'http_301', { attempt: 3 })).toEqual(failed);
});

test('410 ends the delivery at the first attempt and says that the receiver is gone', () => {
  expect(judged(410, 'http_410')).toEqual({ state: 'failed', isGone: true });
});

test('a blocked target ends the delivery at the first attempt', () => {
  expect(judged(null, 'blocked_address')).toEqual(failed);
});

test('a truncated 2xx answer is retried', () => {
  expect(judged(200, 'reset')).toEqual(retryIn(100));
});

test.each([429, 503] as const)('%i with Retry-After pauses the webhook', (status) => {
  const error = `http_${status}` as const;
  expect(judged(status, error, { retryAfter: '7' })).toEqual(pauseFor(7 * second));
  expect(judged(status, error)).toEqual(retryIn(100));
});

test('Retry-After of other statuses is ignored', () => {
  for (const status of [301, 302, 307, 308, 400, 404, 408, 500, 502, 504] as const) {
    expect(judged(status, `http_${status}`, { retryAfter: '7' })).toEqual(retryIn(100));
  }
  expect(judged(200, null, { retryAfter: '7' })).toEqual({ state: 'succeeded' });
  expect(judged(410, 'http_410', { retryAfter: '7' })).toEqual({ state: 'failed', isGone: true });
});

test('a pause that asks for no wait, or says nothing, is a failure like any other', () => {
  for (const retryAfter of ['0', 'soon']) {
    expect(judged(503, 'http_503', { retryAfter })).toEqual(retryIn(100));
  }
});

test('the last attempt may be paused as well: it is kept', () => {
  expect(judged(503, 'http_503', { attempt: 3, retryAfter: '7' })).toEqual(pauseFor(7 * second));
  expect(judged(503, 'http_503', { attempt: 3 })).toEqual(failed);
});

test('for three days a delivery is paused at no cost, from then on each time costs an attempt', () => {
  const busy = (attempt: number, ageMs: number) =>
    judged(429, 'http_429', { attempt, ageMs, retryAfter: '7' });
  expect(busy(1, threeDays - 1)).toEqual(pauseFor(7 * second));
  expect(busy(1, threeDays)).toEqual(retryIn(100));
  expect(busy(3, threeDays)).toEqual(failed);
});

test('only a pause affects the whole webhook, and has its own name', () => {
  const verdicts = [judged(200, null), judged(410, 'http_410'), judged(500, 'http_500')];
  verdicts.push(judged(429, 'http_429', { retryAfter: '7' }));
  expect(verdicts.map(pauseMsOf)).toEqual([null, null, null, 7 * second]);
  expect(verdicts.map(({ state }) => state)).toEqual(['succeeded', 'failed', 'retry', 'paused']);
});
