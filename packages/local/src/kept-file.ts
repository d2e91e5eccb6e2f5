import { readFile } from 'node:fs/promises';
import { StartError } from './program.ts';

/**
 * What an earlier run has written to the file, as JSON; undefined when there is none, or nothing in it. Throws `StartError`,
 * with the file and the advice, for anything else than `isIts` takes.
 */
export async function readKept<Value>(
  path: string,
  isIts: (value: unknown) => value is Value,
  advice: string,
): Promise<Value | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new StartError(`${path} cannot be read (${error.message}); ${advice}`, { cause: error });
  });
  if (text === '') return undefined;
  const value = parse(text);
  if (!isIts(value)) throw new StartError(`${path} does not hold what a run writes there; ${advice}`);
  return value;
}

/** Whether it is an object with names. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined, which is no JSON, for what is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
