import { AppError, errorCodes, invalidRequest } from '@parley/runtime/errors';
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

test('an error of every code has exactly its fields, and nothing of its cause', () => {
  for (const code of Object.keys(errorCodes) as (keyof typeof errorCodes)[]) {
    const error = new AppError(code, 'some-type', 'Public', { cause: new Error('private') });
    expect(failure(error, 'r')).toEqual({
      success: false,
      code: errorCodes[code].http,
      detail: 'Public',
      data: null,
      meta: null,
      type: 'some-type',
      requestId: 'r',
    });
  }
});

test('faults are listed where there are any', () => {
  const faults = [{ pointer: '/email', detail: 'Must be an email address' }];
  expect(failure(invalidRequest(faults), 'r').errors).toEqual(faults);
});
