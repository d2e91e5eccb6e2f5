import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { AppError } from '@parley/runtime/errors';
import { expect, test } from 'vitest';
import { fromStatus, toStatus } from './status.ts';

function failed(code: number, details: string, metadata = new Metadata()): ServiceError {
  return Object.assign(new Error(details), { code, details, metadata });
}

test.each([
  ['a peer that is away', status.UNAVAILABLE, 'No connection established', 'unavailable'],
  ['a call that was given up', status.CANCELLED, 'Call cancelled', 'unavailable'],
  ['a deadline that has passed', status.DEADLINE_EXCEEDED, 'Deadline exceeded', 'deadline_exceeded'],
  [
    'a connection that broke while it was written to',
    status.INTERNAL,
    'Received RST_STREAM with code 2 triggered by internal client error: write EPIPE',
    'unavailable',
  ],
  [
    'a stream that ended without an answer',
    status.INTERNAL,
    'Received RST_STREAM with code 0',
    'unavailable',
  ],
  ['an answer that cannot be read', status.INTERNAL, 'Error parsing response', 'internal'],
])('%s becomes what the caller may be told', (_name, code, details, expected) => {
  expect(fromStatus(failed(code, details))).toMatchObject({ code: expected });
});

test('the face of an error survives the way, whatever its status', () => {
  const faults = [{ pointer: '/email', detail: 'is not an address' }];
  const { code, details, metadata } = toStatus(new AppError('gone', 'ended', 'It has ended', { faults }));
  expect(fromStatus(failed(code, details, metadata))).toMatchObject({
    code: 'gone',
    type: 'ended',
    message: 'It has ended',
    faults,
  });
});
