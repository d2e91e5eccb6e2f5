import { resolve } from 'node:path';
import type { Shell } from '../shell.ts';

/**
 * Returns the path of a file or folder that the command line names, relative to the folder where it was typed. npm runs
 * scripts in the folder of their `package.json`, and sets `INIT_CWD` to the other one.
 */
export function pathOf(file: string, shell: Shell): string {
  const { npm_lifecycle_event: script, INIT_CWD: typedIn } = shell.env;
  return resolve(shell.cwd(), (script === 'parley' && typedIn) || '', file);
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'ENOTDIR') return 'a part of its path is a file';
  return error.message;
}
