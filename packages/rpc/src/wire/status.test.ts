import { AppError, type ErrorCode, errorCodes, unavailable } from '@parley/runtime/errors';
import { expect, test } from 'vitest';
import { Status } from '@parley/contracts/status';
import { BadRequest, ErrorInfo, RetryInfo } from '@parley/contracts/error-details';
import { statusFaultsBytesMax } from '../server/limits.ts';
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

test('an internal error, one of an unknown code, and an unreadable one are internal', () => {
  const internal = toFailure(new AppError('internal', 'internal', 'detail'));
  const unknown = Buffer.from(JSON.stringify({ code: 'of-tomorrow', type: 'x', message: 'y' }));
  for (const body of [internal, unknown, Buffer.from('no JSON'), Buffer.from('null')]) {
    expect(fromFailure(path, body)).toMatchObject({
      code: 'internal',
      message: 'An internal error occurred',
      cause: expect.objectContaining({ message: expect.stringContaining(path) }),
    });
  }
});

const detailsOf = (error: AppError) => {
  const [bytes] = toStatus(error).metadata?.get('grpc-status-details-bin') ?? [];
  const { details, ...rest } = Status.decode(Buffer.from(bytes ?? ''));
  return { ...rest, details: Object.fromEntries(details.map(({ typeUrl, value }) => [typeUrl, value])) };
};
const prefix = 'type.googleapis.com/google.rpc.';

test('the status of a unary call has every public field in the details of google.rpc', () => {
  const faults = [{ pointer: '/é😀', detail: 'Is not an address' }];
  const error = new AppError('gone', 'not-any-more', 'It is so', { faults, retryAfterSeconds: 7.5 });
  const { code, message, details } = detailsOf(error);
  expect({ code, message }).toEqual({ code: 9, message: 'It is so' });
  expect(ErrorInfo.decode(details[`${prefix}ErrorInfo`] ?? Buffer.of())).toEqual({
    reason: 'NOT_ANY_MORE',
    domain: 'parley',
    metadata: { code: 'gone', type: 'not-any-more' },
  });
  expect(RetryInfo.decode(details[`${prefix}RetryInfo`] ?? Buffer.of())).toEqual({
    retryDelay: { seconds: 7, nanos: 500_000_000 },
  });
  expect(BadRequest.decode(details[`${prefix}BadRequest`] ?? Buffer.of())).toEqual({
    fieldViolations: [{ field: '/é😀', description: 'Is not an address' }],
  });
});

test('the text of a status has the faults, for clients that read no trailer', () => {
  const faults = [
    { pointer: '/types/1', detail: 'Must be a type of the catalogue' },
    { pointer: '/after', detail: 'Must be a cursor' },
  ];
  const textOf = (error: AppError): string => toStatus(error).details;
  expect(textOf(new AppError('invalid_argument', 'x', 'No', { faults }))).toBe(
    'No; /types/1: Must be a type of the catalogue; /after: Must be a cursor',
  );
  expect(textOf(new AppError('invalid_argument', 'x', 'No'))).toBe('No');
  const long = new AppError('invalid_argument', 'x', 'No', {
    faults: Array.from({ length: 100 }, () => faults).flat(),
  });
  expect(textOf(long)).toHaveLength(500);
  // gRPC encodes it by `encodeURI`, which throws for half of a character.
  for (const lead of ['', 'x']) {
    const faultsOf = [{ pointer: `/${lead}${'😀'.repeat(300)}`, detail: 'Is not known' }];
    const text = textOf(new AppError('invalid_argument', 'x', 'No', { faults: faultsOf }));
    expect(() => encodeURI(text)).not.toThrow();
  }
});

test('a status has the first faults, as many as fit into a trailer', () => {
  const faults = Array.from({ length: 100 }, (_, index) => ({
    pointer: `/${index}`,
    detail: 'x'.repeat(99),
  }));
  const { details } = detailsOf(new AppError('invalid_argument', 'invalid-request', 'No', { faults }));
  const { fieldViolations } = BadRequest.decode(details[`${prefix}BadRequest`] ?? Buffer.of());
  expect(fieldViolations.map(({ field }) => field)).toEqual(
    faults.slice(0, Math.floor(statusFaultsBytesMax / 102)).map(({ pointer }) => pointer),
  );
});
