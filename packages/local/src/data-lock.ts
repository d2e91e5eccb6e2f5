import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startedAt } from './leftover.ts';
import { StartError } from './program.ts';

/** The file in the data folder that names the process which has it. */
export const lockFile = 'run.lock';

/** Takes the data folder for this process alone until `release`. Throws `StartError` when another run has it. */
export async function lockDataDir(dataDir: string): Promise<{ release: () => Promise<void> }> {
  const path = join(dataDir, lockFile);
  // Process ids are used again; together with the time of its start one names a process for good.
  const own = `${process.pid} ${await startedAt(process.pid)}`;
  const [pid, ...started] = (await readFile(path, 'utf8').catch(() => '')).split(' ');
  if (pid && Number(pid) !== process.pid && (await startedAt(Number(pid))) === started.join(' '))
    throw inUse(dataDir, pid);

  // Of two that find no living owner at the same moment, the one that writes last has it.
  const next = `${path}.${process.pid}.tmp`;
  await writeFile(next, own);
  await rename(next, path);
  await delay(20);
  const owner = await readFile(path, 'utf8').catch(() => '');
  if (owner !== own) throw inUse(dataDir, owner.split(' ')[0] ?? '');
  return { release: () => rm(path, { force: true }) };
}

function inUse(dataDir: string, pid: string): StartError {
  return new StartError(
    `${dataDir} is in use by another run (process ${pid}); stop it or give another --data-dir`,
  );
}
