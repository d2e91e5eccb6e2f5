import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Demo, OperatorAccess } from '../demo/demo.ts';
import { endLeftover } from './leftover.ts';
import { readJson, writePrivateJson } from './private-files.ts';
import type { ProcessInfo } from '../processes/supervisor.ts';
import { throttled } from '../processes/throttled.ts';

/** The content of `local.json`. A run is ready as soon as the file exists. */
export interface LocalRun extends Demo {
  baseUrl: string;
  landingUrl: string;
  gateways: string[];
  postgresUrl: string;
  natsUrl: string;
  /** Where traces are shown. Absent without `--traces`. */
  tracesUrl?: string;
  processes: ProcessInfo[];
}

/** The files that describe a run to others: `local.json`, and `operator.json` for the command line. */
export interface RunFiles {
  write(run: LocalRun, operator: OperatorAccess): Promise<void>;
  /** Returns the newest state of the run; undefined before `write`. */
  local(): LocalRun | undefined;
  /**
   * Rewrites `local.json` in the background, and retries every second on failure. No effect before `write`.
   */
  updateProcesses(processes: ProcessInfo[]): void;
  remove(): Promise<void>;
}

const localFile = 'local.json';
const operatorFile = 'operator.json';

/** Manages the files of a run. `show` gets a line when an update fails, at most once a minute. */
export function createRunFiles(dataDir: string, show: (line: string) => void): RunFiles {
  const showFailure = throttled(show, 60_000);
  const removing = new AbortController();
  let local: LocalRun | undefined;
  let writing = Promise.resolve();
  const rewrite = async (run: LocalRun): Promise<void> => {
    while (run === local && !removing.signal.aborted) {
      try {
        return await writePrivateJson(join(dataDir, localFile), run);
      } catch (error) {
        const reason = (error as Error).message;
        showFailure(`${localFile} cannot be written (${reason}); the run continues and retries`);
        await delay(1_000, undefined, { signal: removing.signal }).catch(() => {});
      }
    }
  };
  return {
    write: async (run, operator) => {
      await writePrivateJson(join(dataDir, operatorFile), operator);
      await writePrivateJson(join(dataDir, localFile), run);
      local = run;
    },
    local: () => local,
    updateProcesses: (processes) => {
      if (!local) return;
      const run = { ...local, processes };
      local = run;
      writing = writing.then(() => rewrite(run));
    },
    remove: async () => {
      removing.abort();
      await writing;
      await removeFiles(dataDir);
    },
  };
}

async function removeFiles(dataDir: string): Promise<void> {
  await Promise.all([localFile, operatorFile].map((file) => rm(join(dataDir, file), { force: true })));
}

const processesSchema = z.object({ processes: z.array(z.object({ name: z.string(), pid: z.int() })) });

/**
 * Ends the services that a killed run left behind, and removes its files. Postgres and NATS end their own
 * leftovers.
 */
export async function endLeftoverRun(dataDir: string): Promise<void> {
  // A broken file names no processes.
  const run = await readJson(join(dataDir, localFile), processesSchema, '').catch(() => undefined);
  await removeFiles(dataDir);
  // The process of `gateway-2` runs a file of `services/gateway/src`.
  const markOf = (name: string): string => `services/${name.replace(/-\d+$/, '')}/src/`;
  const left = run?.processes ?? [];
  await Promise.all(left.map(({ name, pid }) => endLeftover(pid, markOf(name), 'SIGTERM', 3_000)));
}
