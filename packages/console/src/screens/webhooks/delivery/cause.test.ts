import { expect, test } from 'vitest';
import { en } from '../../../texts/en/en.ts';
import { causeIn, outcomeOf } from './cause.ts';

const t = en.webhooks;
const words = (error: string | null, status: number | null = null, retryAfterSeconds: number | null = null) =>
  causeIn(t, { error, status, retryAfterSeconds });

test('an outcome is said by what the receiver did', () => {
  expect(words(null, 204)).toBe(t.accepted(204));
  expect(words('http_429', 429, 60)).toBe(t.paused(429, 60));
  expect(words('http_503', 503)).toBe(t.serverFailed(503));
  expect(words('http_302', 302)).toBe(t.redirected(302));
  expect(words('http_418', 418)).toBe(t.rejected(418));
});

test('a known cause is said by its own words, and an unknown one by its name', () => {
  for (const [error, text] of Object.entries(t.causes)) expect(words(error)).toBe(text);
  expect(words('of_a_newer_release')).toBe(t.unknownCause('of_a_newer_release'));
});

test('the error of a delivery has the status of its last attempt', () => {
  expect(outcomeOf('http_500')).toEqual({ error: 'http_500', status: 500, retryAfterSeconds: null });
  expect(outcomeOf('timeout_total').status).toBeNull();
  expect(outcomeOf('http_5000').status).toBeNull();
});
