import { expect, test } from 'vitest';
import { verdict } from './verdict.ts';

const delaysMs = [100, 200];

test('an answer with 2xx ends the delivery', () => {
  expect(verdict({ status: 204, error: null }, 1, delaysMs, 0.5)).toEqual({ state: 'succeeded' });
});

test('a failure is tried again after the pause of its attempt', () => {
  expect(verdict({ status: 500, error: 'http_500' }, 1, delaysMs, 0.5)).toEqual({
    state: 'pending',
    delayMs: 100,
  });
  expect(verdict({ status: null, error: 'dns' }, 2, delaysMs, 0.5)).toEqual({
    state: 'pending',
    delayMs: 200,
  });
});

test('the attempt after the last pause is the last', () => {
  expect(verdict({ status: 301, error: 'http_301' }, 3, delaysMs, 0.5)).toEqual({
    state: 'failed',
    isGone: false,
  });
});

test('410 ends the delivery at the first attempt and says that the receiver is gone', () => {
  expect(verdict({ status: 410, error: 'http_410' }, 1, delaysMs, 0.5)).toEqual({
    state: 'failed',
    isGone: true,
  });
});

test('a target that we do not go to ends the delivery at the first attempt', () => {
  expect(verdict({ status: null, error: 'blocked_address' }, 1, delaysMs, 0.5)).toEqual({
    state: 'failed',
    isGone: false,
  });
});

test('an answer with 2xx that did not come whole is tried again', () => {
  expect(verdict({ status: 200, error: 'reset' }, 1, delaysMs, 0.5)).toMatchObject({ state: 'pending' });
});
