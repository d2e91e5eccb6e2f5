import { expect, test } from 'vitest';
import { failure, success } from './envelope.ts';

test('a success has exactly the five fields', () => {
  expect(success([1])).toEqual({
    success: true,
    code: 200,
    detail: 'Request completed successfully',
    data: [1],
    meta: null,
  });
});

test('an error has exactly its fields', () => {
  expect(failure({ code: 431, type: 'some-type', detail: 'Public' }, 'r')).toEqual({
    success: false,
    code: 431,
    detail: 'Public',
    data: null,
    meta: null,
    type: 'some-type',
    requestId: 'r',
  });
});

const invalid = { code: 400, type: 'invalid-request', detail: 'The request is not valid' };

test('an error lists its faults, if any', () => {
  const faults = [{ pointer: '/email', detail: 'Must be an email address' }];
  expect(failure({ ...invalid, faults }, 'r').errors).toEqual(faults);
});

test('at most a hundred faults are listed, fewer with long pointers, but at least one', () => {
  const faults = (count: number, length: number) =>
    Array.from({ length: count }, (_, n) => ({ pointer: `/${n}`.padEnd(length, 'x'), detail: 'Is wrong' }));
  const errorsOf = (all: ReturnType<typeof faults>) => failure({ ...invalid, faults: all }, 'r').errors;
  expect(errorsOf(faults(101, 10))).toEqual(faults(100, 10));
  expect(errorsOf(faults(100, 10_000))).toEqual(faults(6, 10_000));
  expect(errorsOf(faults(3, 200_000))).toEqual(faults(1, 200_000));
});
