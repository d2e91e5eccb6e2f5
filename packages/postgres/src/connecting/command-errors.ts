import { ConfigError } from '@parley/runtime/config/config';
import { AppError } from '@parley/runtime/errors';

export class UsageError extends Error {}

/** Prints the reason why a command failed. Returns its exit code. Rethrows what is no error. */
export function exitCodeOf(error: unknown): 1 | 2 {
  if (!(error instanceof Error)) throw error;
  // The public message of an `AppError` is for clients of the API.
  const { message } = error instanceof AppError && error.cause instanceof Error ? error.cause : error;
  console.error(message);
  return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}
