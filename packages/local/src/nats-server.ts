import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { runErrand } from './errand.ts';
import { StartError } from './program.ts';

/** Where a checkout keeps the server that was fetched, for all runs in it. Two that fetch it at once do not meet. */
export const sharedBinDir = resolve(import.meta.dirname, '../../../node_modules/.cache/parley/bin');

/**
 * The path of a `nats-server`: `NATS_SERVER_BIN`, one on the `PATH` or in `sharedBinDir`, else one fetched into
 * `sharedBinDir`: the pinned official release, or the distribution's package, unpacked (nothing is installed). Throws
 * `StartError` when none can be had. The signal ends a fetch.
 */
export async function findNatsServer(
  env: NodeJS.ProcessEnv,
  onProgress: (line: string) => void,
  signal?: AbortSignal,
): Promise<string> {
  const named = env['NATS_SERVER_BIN'];
  if (named) {
    if (await isExecutable(named)) return resolve(named);
    throw new StartError(`NATS_SERVER_BIN is ${named}, which is not an executable file`);
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  // Debian installs it where an ordinary user's PATH does not look.
  for (const folder of new Set([...folders, '/usr/local/sbin', '/usr/sbin', sharedBinDir])) {
    const path = join(folder, 'nats-server');
    if (await isExecutable(path)) return path;
  }
  onProgress("fetching nats-server: the official release, else the distribution's package");
  return runErrand('fetchNatsServer', { binDir: sharedBinDir }, signal).catch((cause: Error) => {
    const advice = 'install nats-server or set NATS_SERVER_BIN or NATS_URL';
    throw new StartError(`no NATS server can be had; ${advice} (${cause.message})`, { cause });
  });
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
