// Generated from the OpenAPI document by packages/sdk-generator: `npm run generate`.

import { ParleyError } from '../error.ts';

/** The resource still has the version of `If-None-Match`: `not-modified`, 304. */
export class NotModifiedError extends ParleyError {}

/** The credentials are not accepted: 401. */
export class AuthenticationError extends ParleyError {}

/** The credentials do not allow the call: 403. */
export class PermissionDeniedError extends ParleyError {}

/** There is no such thing, or no more: 404 and 410. */
export class NotFoundError extends ParleyError {}

/** The resource has another state or version: 409 and 412. */
export class ConflictError extends ParleyError {}

/** Too many calls: 429. */
export class RateLimitError extends ParleyError {}

/** The request is wrong: all other 4xx. */
export class InvalidRequestError extends ParleyError {}

/** The service or a proxy failed: 5xx. */
export class ServerError extends ParleyError {}

/** The connection failed or timed out: `no-answer`. The cause has the reason. */
export class NoAnswerError extends ParleyError {}

/** Something else answered, such as a proxy: `unexpected-answer`. */
export class UnexpectedAnswerError extends ParleyError {}

const classes: Record<number, typeof ParleyError> = {
  304: NotModifiedError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  410: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  429: RateLimitError,
  400: InvalidRequestError,
  500: ServerError,
};

/** Throws an error of the API as one of the class of its kind. */
export function failed(error: unknown): never {
  if (!(error instanceof ParleyError)) throw error;
  const { type, status = 0, cause } = error;
  if (type === 'unexpected-answer') throw new UnexpectedAnswerError(error, { cause });
  const other = status === 0 ? NoAnswerError : UnexpectedAnswerError;
  const Kind = classes[status] ?? classes[status - (status % 100)] ?? other;
  throw new Kind(error, { cause });
}
