import { resolve } from 'node:path';

/**
 * The path of a file or folder that the command line names, which is meant from where it was typed: npm runs a script in
 * the folder of its `package.json`, and has the other one in `INIT_CWD`.
 */
export function pathOf(file: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: typedIn } = process.env;
  return resolve((script === 'parley' && typedIn) || '', file);
}
