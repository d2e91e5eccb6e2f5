/** What went wrong, and how each protocol says it. `gone`, `unprocessable` have no gRPC status of their own. */
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
  resource_exhausted: { grpc: 8, http: 429 },
  internal: { grpc: 13, http: 500 },
  unavailable: { grpc: 14, http: 503 },
  deadline_exceeded: { grpc: 4, http: 504 },
} as const satisfies Record<string, { grpc: number; http: number }>;

export type ErrorCode = keyof typeof errorCodes;

/** One fault of a request: a JSON pointer (RFC 6901) to the place and what is wrong there. */
export interface Fault {
  pointer: string;
  detail: string;
}

interface ErrorOptions {
  /** Every fault of the input at once. */
  faults?: Fault[] | undefined;
  /** When a further try may succeed. */
  retryAfterSeconds?: number | undefined;
  /** For the log only; never leaves the process. */
  cause?: unknown;
}

/** An error with a public face: `type` (stable kebab-case slug) and `message` may be shown, `cause` is logged only. */
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

/** 400 with every fault of the request. */
export function invalidRequest(faults: Fault[]): AppError {
  return new AppError('invalid_argument', 'invalid-request', 'The request is not valid', { faults });
}

/** 401. One text for every fault of an API key and its secret: what is wrong is nobody's business. */
export function invalidCredentials(): AppError {
  return new AppError(
    'unauthenticated',
    'invalid-credentials',
    'The request has no valid API key and secret',
  );
}

/** 404. One text for what never was and for what the caller may not see. */
export function notFound(): AppError {
  return new AppError('not_found', 'not-found', 'There is no such resource');
}

/** 412: the row has changed since the caller read it. */
export function preconditionFailed(): AppError {
  return new AppError('aborted', 'precondition-failed', 'The resource has changed since it was read');
}

/**
 * How often a change is decided anew while others change the same thing. Each try that fails means that another was
 * made.
 */
export const changeTriesMax = 20;

/** 409: others were faster again and again. */
export function lostRace(): AppError {
  return new AppError('failed_precondition', 'lost-race', 'Others change the resource at the same time');
}

/** 503: something this process needs is away; the caller may try again. */
export function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'unavailable', 'The service is not available at the moment', {
    retryAfterSeconds: 1,
    cause,
  });
}

/** 504: no answer in time. */
export function deadlineExceeded(cause: unknown): AppError {
  return new AppError('deadline_exceeded', 'timeout', 'The service did not answer in time', { cause });
}

/** Whether an error is none that the caller has brought about: what HTTP would answer with 500 or more. */
export function isOurFault(error: unknown): boolean {
  return errorCodes[toAppError(error).code].http >= 500;
}

/** The error as one with a public face: anything unknown becomes `internal`, which says nothing. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('internal', 'internal', 'An internal error occurred', { cause: error });
}
