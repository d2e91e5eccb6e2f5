import { status } from '@grpc/grpc-js';
import { AppError, errorCodes, toAppError } from '@parley/runtime/errors';

/** The fields of an error that are sent to other processes. Its cause is only logged here. */
type PublicFields = Pick<AppError, 'code' | 'type' | 'message' | 'faults' | 'retryAfterSeconds'>;

/** Returns the body of a `failure` frame: the public fields of an error as JSON. */
export function toFailure({ code, type, message, faults, retryAfterSeconds }: AppError): Buffer {
  const fields: PublicFields = { code, type, message, faults, retryAfterSeconds };
  return Buffer.from(JSON.stringify(fields));
}

/**
 * Returns the error of a `failure` frame; `path` is that of the method. An internal or unreadable error becomes an
 * internal one.
 */
export function fromFailure(path: string, body: Buffer): AppError {
  const cause = new Error(`${path} failed`);
  try {
    const { code, type, message, faults, retryAfterSeconds } = JSON.parse(body.toString()) as PublicFields;
    if (!Object.hasOwn(errorCodes, code) || code === 'internal') return toAppError(cause);
    return new AppError(code, type, message, { faults, retryAfterSeconds, cause });
  } catch {
    return toAppError(cause);
  }
}

/** Returns the name of the gRPC status of an error, such as `UNAVAILABLE`. */
export function statusName({ code }: AppError): string {
  return status[errorCodes[code].grpc] ?? 'UNKNOWN';
}

/** Fits into a trailer, even if every character is escaped. */
const detailsCharactersMax = 500;

/** Returns an error as the gRPC status of a unary call, with at most 500 characters of its message. */
export function toStatus({ code, message }: AppError): { code: number; details: string } {
  return { code: errorCodes[code].grpc, details: message.slice(0, detailsCharactersMax) };
}
