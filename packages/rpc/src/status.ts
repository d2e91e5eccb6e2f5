import { type Metadata, Metadata as GrpcMetadata, type ServiceError, status } from '@grpc/grpc-js';
import {
  AppError,
  type ErrorCode,
  errorCodes,
  type Fault,
  deadlineExceeded,
  toAppError,
  unavailable,
} from '@parley/runtime/errors';

/** Trailer that carries an error's public face: JSON of `{code, type, faults?, retryAfterSeconds?}`. */
const trailer = 'parley-error-bin';

interface PublicFace {
  code: ErrorCode;
  type: string;
  faults?: Fault[];
  retryAfterSeconds?: number;
}

/** An error as a gRPC status. Only the public face crosses; the cause stays in this process's log. */
export function toStatus(error: AppError): { code: number; details: string; metadata: Metadata } {
  const face: PublicFace = {
    code: error.code,
    type: error.type,
    ...(error.faults && { faults: error.faults }),
    ...(error.retryAfterSeconds && { retryAfterSeconds: error.retryAfterSeconds }),
  };
  const metadata = new GrpcMetadata();
  metadata.set(trailer, Buffer.from(JSON.stringify(face)));
  return { code: errorCodes[error.code].grpc, details: error.message, metadata };
}

/**
 * A failed call as an AppError. Statuses that a peer of ours has set are translated; those of the transport become
 * `unavailable` (503), `deadline_exceeded` (504) or `internal`.
 */
export function fromStatus(error: ServiceError): AppError {
  const face = error.metadata?.get(trailer)[0];
  if (face instanceof Buffer) {
    const { code, type, faults, retryAfterSeconds } = JSON.parse(face.toString('utf8')) as PublicFace;
    if (code in errorCodes && code !== 'internal') {
      return new AppError(code, type, error.details, { faults, retryAfterSeconds, cause: error });
    }
    return toAppError(error);
  }
  if (error.code === status.UNAVAILABLE || error.code === status.CANCELLED) return unavailable(error);
  if (error.code === status.DEADLINE_EXCEEDED) return deadlineExceeded(error);
  return toAppError(error);
}
