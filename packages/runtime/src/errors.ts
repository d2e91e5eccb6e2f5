/**
 * The kinds of errors, which each protocol maps. `gone` and `unprocessable` have no gRPC status of their own.
 */
export const errorCodes = {
  invalid_argument: { grpc: 3, http: 400 },
  unauthenticated: { grpc: 16, http: 401 },
  permission_denied: { grpc: 7, http: 403 },
  not_found: { grpc: 5, http: 404 },
  method_not_allowed: { grpc: 12, http: 405 },
  not_acceptable: { grpc: 3, http: 406 },
  already_exists: { grpc: 6, http: 409 },
  failed_precondition: { grpc: 9, http: 409 },
  gone: { grpc: 9, http: 410 },
  aborted: { grpc: 10, http: 412 },
  payload_too_large: { grpc: 11, http: 413 },
  unsupported_media_type: { grpc: 3, http: 415 },
  unprocessable: { grpc: 3, http: 422 },
  precondition_required: { grpc: 9, http: 428 },
  resource_exhausted: { grpc: 8, http: 429 },
  internal: { grpc: 13, http: 500 },
  unavailable: { grpc: 14, http: 503 },
  deadline_exceeded: { grpc: 4, http: 504 },
} as const satisfies Record<string, { grpc: number; http: number }>;

export type ErrorCode = keyof typeof errorCodes;

/** One fault of a request: a JSON pointer (RFC 6901) to its place, and the reason. */
export interface Fault {
  pointer: string;
  detail: string;
  /** When it is allowed again, as the API writes instants. */
  retryAt?: string;
}

interface ErrorOptions {
  /** Every fault of the input at once. */
  faults?: Fault[] | undefined;
  /** When a retry may succeed. */
  retryAfterSeconds?: number | undefined;
  /** For the log only; never leaves the process. */
  cause?: unknown;
}

/**
 * An error whose `type` (stable kebab-case slug) and `message` may be sent to clients. `cause` is only logged.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly type: string;
  readonly faults: Fault[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, type: string, message: string, options: ErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.type = type;
    this.faults = options.faults;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Returns 400 with every fault of the request. */
export function invalidRequest(faults: Fault[]): AppError {
  return new AppError('invalid_argument', 'invalid-request', 'The request is not valid', { faults });
}

/**
 * Returns 401. One text for every fault of an API key and its secret, so that it does not reveal which one is
 * wrong.
 */
export function invalidCredentials(): AppError {
  return new AppError(
    'unauthenticated',
    'invalid-credentials',
    'The request has no valid API key and secret',
  );
}

/** Returns 401. One text for every fault of the session of a person. */
export function signedOut(): AppError {
  return new AppError('unauthenticated', 'invalid-credentials', 'The session is not valid. Sign in again');
}

/** Returns 403: the caller lacks scopes. Each fault has one of them as its detail. */
export function missingScope(faults: Fault[]): AppError {
  const scopes = faults.map(({ detail }) => detail).join(', ');
  const message = `The caller does not have the scope${faults.length > 1 ? 's' : ''} ${scopes}`;
  return new AppError('permission_denied', 'missing-scope', message, { faults });
}

/** Returns 404. One text for a resource that does not exist and for one that the caller may not see. */
export function notFound(): AppError {
  return new AppError('not_found', 'not-found', 'There is no such resource');
}

/** Throws 404 without a row. */
export function requireExisting<Row>(row: Row | undefined): Row {
  if (row === undefined) throw notFound();
  return row;
}

/** Returns 412: the row has changed since the caller read it. */
export function preconditionFailed(detail = 'The resource has changed since it was read'): AppError {
  return new AppError('aborted', 'precondition-failed', detail);
}

/** Throws 412 if the caller has stated a version (`If-Match`), and the row has another one. */
export function requireUnchanged(
  version: number | null | undefined,
  ifVersion: number | null | undefined,
): void {
  if (typeof ifVersion === 'number' && ifVersion !== version) throw preconditionFailed();
}

/** Returns 428: the caller must say which state it replaces (RFC 6585). */
export function preconditionRequired(): AppError {
  const detail = 'The call needs If-Match with the ETag of what it replaces, or If-None-Match: * to create';
  return new AppError('precondition_required', 'precondition-required', detail);
}

/**
 * How often a change is attempted while others change the same row. Each failed attempt means that another change
 * succeeded.
 */
export const changeAttemptsMax = 20;

/** Returns 409: all attempts lost against concurrent changes. */
export function lostRace(): AppError {
  return new AppError('failed_precondition', 'lost-race', 'Others change the resource at the same time');
}

/** Returns 503: a dependency is unavailable. Safe to retry. */
export function unavailable(
  cause: unknown,
  message = 'The service is not available at the moment',
): AppError {
  return new AppError('unavailable', 'unavailable', message, { retryAfterSeconds: 1, cause });
}

/** Returns 504: no answer in time. */
export function deadlineExceeded(cause: unknown): AppError {
  return new AppError('deadline_exceeded', 'timeout', 'The service did not answer in time', { cause });
}

/** Returns whether the caller has not caused the error: HTTP would answer with 500 or more. */
export function isOurFault(error: unknown): boolean {
  return errorCodes[toAppError(error).code].http >= 500;
}

/** Returns the error as an `AppError`. An unknown error becomes `internal`, without details. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('internal', 'internal', 'An internal error occurred', { cause: error });
}
