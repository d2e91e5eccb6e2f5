import { AppError, type ErrorCode, errorCodes, type Fault, toAppError } from '@parley/runtime/errors';

/** What of an error crosses to another process; the cause stays in this one's log. */
interface PublicFace {
  code: ErrorCode;
  type: string;
  message: string;
  faults?: Fault[];
  retryAfterSeconds?: number;
}

/** An error as the body of a `failure` frame: JSON of its public face. */
export function toFailure({ code, type, message, faults, retryAfterSeconds }: AppError): Buffer {
  const face: PublicFace = {
    code,
    type,
    message,
    ...(faults && { faults }),
    ...(retryAfterSeconds && { retryAfterSeconds }),
  };
  return Buffer.from(JSON.stringify(face));
}

/**
 * The error that a `failure` frame holds; `path` is that of the method. What is internal there, or cannot be read, is
 * internal here.
 */
export function fromFailure(path: string, body: Buffer): AppError {
  const cause = new Error(`${path} failed`);
  try {
    const { code, type, message, faults, retryAfterSeconds } = JSON.parse(body.toString()) as PublicFace;
    if (!Object.hasOwn(errorCodes, code) || code === 'internal') return toAppError(cause);
    return new AppError(code, type, message, { faults, retryAfterSeconds, cause });
  } catch {
    return toAppError(cause);
  }
}

/** What fits into a trailer, however its characters are escaped. */
const detailsCharactersMax = 500;

/** An error as a gRPC status, for calls by other means than `connect`. A long message is cut off. */
export function toStatus({ code, message }: AppError): { code: number; details: string } {
  return { code: errorCodes[code].grpc, details: message.slice(0, detailsCharactersMax) };
}
