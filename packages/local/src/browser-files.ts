import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildScript, isWidgetBuilt } from '@parley/browser-files/build';
import { StartError } from './program.ts';

const run = promisify(execFile);

/**
 * Builds what browsers load, unless it is there as its sources are now. In a process of its own: the bundler would else
 * stay loaded as long as the run lasts. Throws `StartError` with what the bundler says.
 */
export async function buildBrowserFiles(show: (line: string) => void, signal?: AbortSignal): Promise<void> {
  if (isWidgetBuilt()) return;
  show('building the browser files');
  try {
    await run(process.execPath, [buildScript], { signal });
  } catch (cause) {
    signal?.throwIfAborted();
    const said = (cause as { stderr?: string }).stderr?.trim();
    throw new StartError(`the browser files could not be built: ${said || String(cause)}`, { cause });
  }
}
