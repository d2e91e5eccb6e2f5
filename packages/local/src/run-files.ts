import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Demo, OperatorAccess } from './demo.ts';
import { isRecord, readKept } from './kept-file.ts';
import { endLeftover } from './leftover.ts';
import { writePrivateFile } from './private-file.ts';
import type { ProcessInfo } from './processes.ts';
import { throttled } from './throttled.ts';

/** What `local.json` says of a run (contract, section 8). That it is there says that the run is ready. */
export interface LocalRun extends Demo {
  baseUrl: string;
  landingUrl: string;
  gateways: string[];
  postgresUrl: string;
  natsUrl: string;
  processes: ProcessInfo[];
}

const localFile = 'local.json';
const operatorFile = 'operator.json';

/** Says by what the command line finds the run. */
export async function writeOperatorFile(dataDir: string, access: OperatorAccess): Promise<void> {
  await writePrivateFile(join(dataDir, operatorFile), access);
}

/** Writes `local.json`. */
export async function writeLocalFile(dataDir: string, run: LocalRun): Promise<void> {
  await writePrivateFile(join(dataDir, localFile), run);
}

/** Keeps `local.json` equal to the newest state of a run. */
export interface LocalFileKeeper {
  /** Writes the state in the background, and retries every second while that fails. */
  update(run: LocalRun): void;
  /** Returns when nothing is being written any more. */
  stop(): Promise<void>;
}

/** A keeper that has written nothing yet. `show` gets a line when a write fails, at most once a minute. */
export function keepLocalFile(dataDir: string, show: (line: string) => void): LocalFileKeeper {
  const showFailure = throttled(show, 60_000);
  const stopping = new AbortController();
  let newest: LocalRun | undefined;
  let writing = Promise.resolve();
  const write = async (run: LocalRun): Promise<void> => {
    while (run === newest && !stopping.signal.aborted) {
      try {
        return await writeLocalFile(dataDir, run);
      } catch (error) {
        showFailure(
          `${localFile} cannot be written (${(error as Error).message}); the run goes on and retries`,
        );
        await delay(1_000, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  };
  return {
    update: (run) => {
      newest = run;
      writing = writing.then(() => write(run));
    },
    stop: () => {
      stopping.abort();
      return writing;
    },
  };
}

/** Removes what says that a run is there. */
export async function removeRunFiles(dataDir: string): Promise<void> {
  await Promise.all([localFile, operatorFile].map((file) => rm(join(dataDir, file), { force: true })));
}

/** Ends services that a killed run has left, and forgets that run. Postgres and NATS see to their own. */
export async function endLeftoverRun(dataDir: string): Promise<void> {
  // A file that does not describe a run names no process of one.
  const run = await readKept(join(dataDir, localFile), isRun, '').catch(() => undefined);
  await removeRunFiles(dataDir);
  // The process of `gateway-2` runs `services/gateway/src/main.ts`.
  const mark = (name: string): string => `services/${name.replace(/-\d+$/, '')}/src/main.ts`;
  const left = run?.processes ?? [];
  await Promise.all(left.map(({ name, pid }) => endLeftover(pid, mark(name), 'SIGTERM', 3_000)));
}

function isRun(value: unknown): value is Pick<LocalRun, 'processes'> {
  const isProcess = (one: unknown): boolean =>
    isRecord(one) && typeof one['name'] === 'string' && typeof one['pid'] === 'number';
  return isRecord(value) && Array.isArray(value['processes']) && value['processes'].every(isProcess);
}
