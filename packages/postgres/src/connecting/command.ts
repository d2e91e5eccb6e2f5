import { parseArgs } from 'node:util';
import { ConfigError } from '@parley/runtime/config/config';
import { AppError } from '@parley/runtime/errors';

class UsageError extends Error {}

const flag = { type: 'boolean', default: false } as const;

/** Reads the flags of a command, and `--help`. Throws for other arguments. */
export function readFlags<Name extends string>(
  args: string[],
  names: readonly Name[],
): Record<Name | 'help', boolean> {
  const named = Object.fromEntries(names.map((name) => [name, flag]));
  try {
    const { values } = parseArgs({ args, options: { ...named, help: { ...flag, short: 'h' } } });
    return values as Record<Name | 'help', boolean>;
  } catch (error) {
    throw new UsageError(`${(error as Error).message} (see --help)`);
  }
}

/** Prints the reason why a command failed. Returns its exit code. Rethrows what is no error. */
export function exitCodeOf(error: unknown): 1 | 2 {
  if (!(error instanceof Error)) throw error;
  // The public message of an `AppError` is for clients of the API.
  const { message } = error instanceof AppError && error.cause instanceof Error ? error.cause : error;
  console.error(message);
  return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}
