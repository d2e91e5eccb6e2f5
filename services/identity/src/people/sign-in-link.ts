import { AppError } from '@parley/runtime/errors';

/** Returns a 401 that does not show which part of the code is wrong. */
export function invalidLink(): AppError {
  return new AppError(
    'unauthenticated',
    'invalid-link',
    'This link is not valid any more. Ask for another one',
  );
}
