import { Metadata, status } from '@grpc/grpc-js';
import type { Any } from '@parley/contracts/any';
import { BadRequest, ErrorInfo, RetryInfo } from '@parley/contracts/error-details';
import { Status } from '@parley/contracts/status';
import { AppError, errorCodes, toAppError } from '@parley/runtime/errors';
import { statusFaultsBytesMax } from '../server/limits.ts';

/** The fields of an error that are sent to other processes. Its cause is only logged here. */
type PublicFields = Pick<AppError, 'code' | 'type' | 'message' | 'faults' | 'retryAfterSeconds'>;

/** Returns the body of a `failure` frame: the public fields of an error as JSON. */
export function toFailure({ code, type, message, faults, retryAfterSeconds }: AppError): Buffer {
  const fields: PublicFields = { code, type, message, faults, retryAfterSeconds };
  return Buffer.from(JSON.stringify(fields));
}

/**
 * Returns the error of a `failure` frame; `path` names the method. An internal or unreadable error becomes an internal
 * one.
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

const refusal = '"type":"unauthenticated"';

/** Returns whether the body of a `failure` frame says that the peer does not know the caller. */
export function isRefusal(body: Buffer): boolean {
  return body.includes(refusal);
}

/** Returns the name of the gRPC status of an error, such as `UNAVAILABLE`. */
export function statusName({ code }: AppError): string {
  return status[errorCodes[code].grpc] ?? 'UNKNOWN';
}

/** The field of a unary call, and of the trailer of its error, that has the request id. */
export const requestIdField = 'x-request-id';

/** Fits into a trailer, even if every character is escaped. */
const detailsCharactersMax = 500;

/**
 * Returns an error as the gRPC status of a unary call, with at most 500 characters of its message and faults. The
 * trailer `grpc-status-details-bin` has all public fields as a `google.rpc.Status`, with as many faults as fit
 * (https://grpc.io/docs/guides/error/#richer-error-model). `x-request-id` is the id in the log of the service.
 */
export function toStatus(
  error: AppError,
  requestId?: string,
): { code: number; details: string; metadata: Metadata } {
  const code = errorCodes[error.code].grpc;
  const message = error.message.slice(0, detailsCharactersMax);
  const metadata = new Metadata();
  const full = Status.encode({ code, message, details: statusDetails(error) }).finish();
  metadata.set('grpc-status-details-bin', Buffer.from(full));
  if (requestId !== undefined) metadata.set(requestIdField, requestId);
  return { code, details: textOf(error), metadata };
}

/** Returns the message with the faults, for clients that read no trailer. gRPC cannot send half of a character. */
function textOf({ message, faults = [] }: AppError): string {
  const text = [message, ...faults.map(({ pointer, detail }) => `${pointer}: ${detail}`)].join('; ');
  return text.slice(0, detailsCharactersMax).toWellFormed();
}

/** Returns the fields of an error that a gRPC status lacks, as the messages that google.rpc has for them. */
function statusDetails({ code, type, faults, retryAfterSeconds }: AppError): Any[] {
  const reason = type.toUpperCase().replaceAll('-', '_');
  const details = [
    packed('ErrorInfo', ErrorInfo.encode({ reason, domain: 'parley', metadata: { code, type } })),
  ];
  if (retryAfterSeconds !== undefined) {
    const retryDelay = { seconds: Math.floor(retryAfterSeconds), nanos: (retryAfterSeconds % 1) * 1e9 };
    details.push(packed('RetryInfo', RetryInfo.encode({ retryDelay })));
  }
  if (faults?.length) {
    let bytesLeft = statusFaultsBytesMax;
    const fitting = faults.filter(({ pointer, detail }) => {
      bytesLeft -= Buffer.byteLength(pointer + detail);
      return bytesLeft >= 0;
    });
    const fieldViolations = fitting.map(({ pointer, detail }) => ({ field: pointer, description: detail }));
    details.push(packed('BadRequest', BadRequest.encode({ fieldViolations })));
  }
  return details;
}

function packed(name: string, message: { finish(): Uint8Array }): Any {
  return { typeUrl: `type.googleapis.com/google.rpc.${name}`, value: Buffer.from(message.finish()) };
}
