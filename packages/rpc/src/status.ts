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
    ...(error.faults && { faults: fitting(error.faults) }),
    ...(error.retryAfterSeconds && { retryAfterSeconds: error.retryAfterSeconds }),
  };
  const metadata = new GrpcMetadata();
  metadata.set(trailer, Buffer.from(JSON.stringify(face)));
  return { code: errorCodes[error.code].grpc, details: error.message, metadata };
}

// Trailers are header fields: what is too large for one ends the whole stream.
const faultsCharsMax = 12_000;
const detailCharsMax = 500;

/** As many of the faults as a trailer can carry, long texts cut; the last one tells how many are not shown. */
function fitting(faults: readonly Fault[]): Fault[] {
  const cut = (text: string): string =>
    text.length <= detailCharsMax ? text : `${text.slice(0, detailCharsMax).toWellFormed()}…`;
  const shown: Fault[] = [];
  let room = faultsCharsMax;
  for (const fault of faults) {
    const { pointer, detail } = { pointer: cut(fault.pointer), detail: cut(fault.detail) };
    room -= pointer.length + detail.length;
    if (room < 0) break;
    shown.push({ pointer, detail });
  }
  const left = faults.length - shown.length;
  return left === 0 ? shown : [...shown, { pointer: '', detail: `and ${left} more` }];
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
  if (error.code === status.INTERNAL && connectionFaults.test(error.details)) return unavailable(error);
  if (error.code === status.DEADLINE_EXCEEDED) return deadlineExceeded(error);
  return toAppError(error);
}

// What grpc-js calls INTERNAL when a connection broke in a way that it has no better word for.
const connectionFaults = /^(Received RST_STREAM|Failed to start HTTP\/2 stream)/;

/** Trailer of a call that was turned away before a handler has seen it. */
const refusedTrailer = 'parley-refused';

/** The status of a call that comes to a process which is stopping. */
export function refusal(): { code: number; details: string; metadata: Metadata } {
  const metadata = new GrpcMetadata();
  metadata.set(refusedTrailer, 'stopping');
  return { code: status.UNAVAILABLE, details: 'The process is stopping', metadata };
}

/**
 * Whether no handler has seen the call, so that it may be made again whatever it does: the peer is stopping, or its HTTP/2
 * layer has turned it away (RFC 9113, 8.7: REFUSED_STREAM).
 */
export function wasRefused(error: ServiceError): boolean {
  if (error.code !== status.UNAVAILABLE) return false;
  return error.details === 'Stream refused by server' || error.metadata.get(refusedTrailer).length > 0;
}
