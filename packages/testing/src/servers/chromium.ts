import { delimiter, join, resolve } from 'node:path';
import { isExecutable, sharedBinDir } from '@parley/local/processes/nats-server';
import { type ChromiumEdition, fetchChromium, fetchedChromium } from './chromium-fetch.ts';

/** No Chromium was found or fetched. The message has the reason and advice, in one line. */
export class NoChromiumError extends Error {
  override readonly name = 'NoChromiumError';
}

const fullNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const names = { shell: ['chromium-headless-shell', ...fullNames], full: fullNames };

/** The path on macOS, which is not in the PATH. */
const macPath = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * Returns the path of a Chromium: `CHROMIUM_BIN`, `PATH`, a fetched one, Playwright's download, or the distribution's
 * package, unpacked into the cache of the checkout. Calls `show` before a fetch. Throws `NoChromiumError`.
 */
export async function findChromium(
  env: NodeJS.ProcessEnv,
  show: (line: string) => void,
  edition: ChromiumEdition = 'shell',
): Promise<string> {
  const named = env['CHROMIUM_BIN'];
  if (named) {
    if (await isExecutable(named)) return resolve(named);
    throw new NoChromiumError(`CHROMIUM_BIN is ${named}, which is not an executable file`);
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const installed = folders.flatMap((folder) => names[edition].map((name) => join(folder, name)));
  for (const path of [...installed, macPath, fetchedChromium(sharedBinDir, edition)]) {
    if (await isExecutable(path)) return path;
  }
  show(`fetching Chromium (100 MB, ${edition}): Playwright's download, else the distribution's package`);
  return fetchChromium(sharedBinDir, edition, show).catch((cause: Error) => {
    const advice = 'install chromium or set CHROMIUM_BIN';
    throw new NoChromiumError(`no Chromium is available; ${advice} (${cause.message})`, { cause });
  });
}
