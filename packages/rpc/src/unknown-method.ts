import { AppError, toAppError } from '@parley/runtime/errors';

/** The cause of the error of a call whose method the peer does not have. */
class UnknownMethod extends Error {
  override readonly name = 'UnknownMethod';
}

/** Returns the internal error of a call whose method the peer does not have. `path` is that of the method. */
export function unknownMethod(path: string): AppError {
  return toAppError(new UnknownMethod(`${path} is not a method of the peer`));
}

/**
 * Returns whether a call has failed because the peer does not have its method, as during an update from a release
 * without it. For methods that release 0.1.0 has, this is also true of a fault in one of its handlers.
 */
export function isUnknownMethod(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof UnknownMethod;
}
