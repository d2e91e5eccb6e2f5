import { AppError, type ErrorCode, errorCodes, unavailable } from '@parley/runtime/errors';
import { expect, test } from 'vitest';
import { fromFailure, toFailure, toStatus } from './status.ts';

const path = '/a.Service/Method';

test('an error of any code keeps its public fields', () => {
  const faults = [{ pointer: '/é😀', detail: 'Is not an address' }];
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    if (code === 'internal') continue;
    const error = new AppError(code, 'some-type', 'It is so', { faults, retryAfterSeconds: 7 });
    const arrived = fromFailure(path, toFailure(error));
    const face = { code, type: 'some-type', message: 'It is so', faults, retryAfterSeconds: 7 };
    expect(arrived).toMatchObject(face);
  }
});

test('the cause of an error is not sent', () => {
  const sent = toFailure(unavailable(new Error('secret detail'))).toString();
  expect(sent).not.toContain('secret detail');
  expect(toStatus(unavailable(new Error('secret detail'))).details).not.toContain('secret');
});

test('an internal error, or one of an unknown code, is internal', () => {
  const internal = toFailure(new AppError('internal', 'internal', 'detail'));
  const unknown = Buffer.from(JSON.stringify({ code: 'of-tomorrow', type: 'x', message: 'y' }));
  for (const body of [internal, unknown]) {
    expect(fromFailure(path, body)).toMatchObject({
      code: 'internal',
      message: 'An internal error occurred',
      cause: expect.objectContaining({ message: expect.stringContaining(path) }),
    });
  }
});
