import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@parley/testing/eventually';
import type { System } from '@parley/local/system';

/** Signals to the processes of a system that restarts them. */
export interface Processes {
  pidOf(name: string): number;
  /** Sends the signal and waits until another process has replaced it. */
  end(name: string, signal: NodeJS.Signals): Promise<void>;
  freeze(pid: number): void;
  thaw(pid: number): void;
  /** Resumes all frozen processes, such as after a failed test. */
  thawAll(): void;
}

export function processesOf(system: System): Processes {
  const frozen = new Set<number>();
  const pidOf = (name: string): number => {
    const found = system.local().processes.find((one) => one.name === name);
    if (!found) throw new Error(`there is no process ${name}`);
    return found.pid;
  };
  const thaw = (pid: number): void => {
    frozen.delete(pid);
    process.kill(pid, 'SIGCONT');
  };
  return {
    pidOf,
    end: async (name, signal) => {
      const pid = pidOf(name);
      process.kill(pid, signal);
      frozen.delete(pid);
      // It has nine seconds for a clean stop.
      await eventually(() => {
        if (pidOf(name) === pid) throw new Error(`${name} is still process ${pid}`);
      });
    },
    freeze: (pid) => {
      process.kill(pid, 'SIGSTOP');
      frozen.add(pid);
    },
    thaw,
    thawAll: () => {
      for (const pid of frozen) thaw(pid);
    },
  };
}

/** Kills the embedded broker of the system, which then starts without the files that `isLost` selects by their path. */
export async function loseBrokerFiles(
  system: System,
  processes: Processes,
  isLost: (path: string) => boolean,
): Promise<void> {
  // Frozen, so that it cannot shut down.
  processes.freeze(processes.pidOf('nats'));
  const folder = join(system.dataDir, 'nats');
  const lost = (await readdir(folder, { recursive: true })).filter(isLost);
  if (lost.length === 0) throw new Error('the broker has no such files');
  for (const path of lost) await rm(join(folder, path), { recursive: true });
  await processes.end('nats', 'SIGKILL');
}
