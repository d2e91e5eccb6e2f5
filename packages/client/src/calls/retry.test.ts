import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasLostAnswer, isTemporary, waitMs } from './retry.ts';

const failures = fc.integer({ min: 1, max: 2000 });
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the delay before the next attempt', () => {
  test('is a random part of a limit that doubles with each failure, up to 10 s', () => {
    fc.assert(
      fc.property(failures, fraction, (count, part) => {
        const limit = Math.min(10_000, 500 * 2 ** (count - 1));
        expect(waitMs(count, 0, () => part)).toBeCloseTo(limit * part);
        expect(waitMs(count, 0, () => 0)).toBe(0);
      }),
    );
  });

  test('is at least the Retry-After, and there is no retry after more than a minute', () => {
    fc.assert(
      fc.property(failures, fc.integer({ min: 0, max: 60 }), fraction, (count, asked, part) => {
        const waited = waitMs(count, asked, () => part) ?? Number.NaN;
        expect(waited).toBeGreaterThanOrEqual(asked * 1000);
        expect(waited).toBeLessThanOrEqual(asked * 1000 + 10_000);
        expect(waitMs(count, asked + 61, () => part)).toBeUndefined();
      }),
    );
  });
});

test.each([
  [undefined, 'no-answer', true],
  [408, 'request-timeout', true],
  [429, 'rate-limited', true],
  [502, 'unexpected-answer', true],
  [503, 'unavailable', true],
  [504, 'timeout', true],
  [504, 'anonymisation-continues', false],
  [504, 'deletion-continues', false],
  [409, 'lost-race', true],
  [409, 'customer-exists', false],
  [400, 'invalid-request', false],
  [401, 'invalid-credentials', false],
  [404, 'not-found', false],
  [412, 'precondition-failed', false],
  [422, 'idempotency-key-reused', false],
  [500, 'internal', false],
])('%s %s may pass: %s', (status, type, passes) => {
  expect(isTemporary({ status, type })).toBe(passes);
});

test.each([
  [undefined, true],
  [408, true],
  [500, true],
  [502, true],
  [503, true],
  [504, true],
  [409, false],
  [429, false],
  [404, false],
])('after %s the call may have had its effect: %s', (status, mayBeDone) => {
  expect(hasLostAnswer({ status })).toBe(mayBeDone);
});
