import { AppError } from '@parley/runtime/errors';

/** Returns the error 401 of a link, the same for every fault of its code. */
export function invalidLink(): AppError {
  return new AppError(
    'unauthenticated',
    'invalid-link',
    'This link is not valid any more. Ask for another one',
  );
}
