import { eventually } from '@parley/testing/eventually';
import type { System } from '@parley/local/system';

/** Signals to the processes of a system that restarts them. */
export interface Processes {
  /** Returns the current process of that name. */
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
