import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { areFilesBuilt, buildScript } from '@parley/browser-files/build';
import { StartError } from './processes/program.ts';

const run = promisify(execFile);

/**
 * Builds the browser files unless they are up to date, in a child process, which ends the bundlers' own
 * processes. Throws `StartError` with the output of the bundlers.
 */
export async function buildBrowserFiles(show: (line: string) => void): Promise<void> {
  if (areFilesBuilt()) return;
  show('building the browser files');
  await run(process.execPath, [buildScript]).catch((cause: Error & { stderr?: string }) => {
    const reason = cause.stderr?.trim() || cause.message;
    throw new StartError(`the browser files could not be built: ${reason}`, { cause });
  });
}
