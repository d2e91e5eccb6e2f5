import { areFilesBuilt, buildScript } from '@parley/browser-files/build';
import { runToEnd } from './processes/child.ts';
import { StartError } from './processes/program.ts';

/**
 * Builds the browser files unless they are up to date, in a child process, which ends the bundlers' own
 * processes. The signal ends it. Throws `StartError` with the output of the bundlers.
 */
export async function buildBrowserFiles(show: (line: string) => void, signal?: AbortSignal): Promise<void> {
  if (areFilesBuilt()) return;
  show('building the browser files');
  await runToEnd(process.execPath, [buildScript], {}, signal).catch((cause: Error & { stderr?: string }) => {
    const reason = cause.stderr?.trim() || cause.message;
    throw new StartError(`the browser files could not be built: ${reason}`, { cause });
  });
}
