import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, spawnChild } from './child.ts';
import { makePrivateFolder } from '../files/private-files.ts';
import { type Program, untilReady } from './program.ts';
import { throttled } from './throttled.ts';

export interface ProcessInfo {
  name: string;
  pid: number;
  restartable: boolean;
  metricsUrl?: string;
}

interface SupervisorOptions {
  /** The output of each child is logged to `<name>.log` in this folder. */
  logDir: string;
  /** Shows a line on the terminal: alarms of children, deaths and restarts. */
  show: (line: string) => void;
  onChange: () => void;
}

/** Keeps children running: restarts one that ends, until `stop`. */
export interface Supervisor {
  /**
   * Starts a program and returns when it is ready. Throws `StartError`, and does not supervise a program that
   * failed.
   */
  start(program: Program): Promise<void>;
  processes(): ProcessInfo[];
  /** Ends all children, one stage after another. Further calls wait for the first. */
  stop(stages: readonly StopStage[]): Promise<void>;
  kill(): Promise<void>;
}

export interface StopStage {
  /** Selects by name the children that end in this stage. */
  matches: (name: string) => boolean;
  /** Their time limit before SIGKILL. */
  graceMs: number;
}

interface Running {
  program: Program;
  child: Child;
}

// A child that ran at least this long restarts without a delay.
const stableMs = 10_000;

// The log has all alarms.
const alarmQuietMs = 1_000;

// A full disk affects all logs and persists.
const lossQuietMs = 60_000;

const delayMsFirst = 200;
const delayMsMax = 5_000;

/** Returns the delay of a restart after that many short-lived starts in a row. The first restart has none. */
export function restartDelayMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(delayMsFirst * 2 ** (failures - 1), delayMsMax);
}

export function supervise({ logDir, show, onChange }: SupervisorOptions): Supervisor {
  const running = new Map<string, Running>();
  const stopping = new AbortController();
  const { signal } = stopping;
  const showLoss = throttled(show, lossQuietMs);
  const onLoss = (reason: string): void =>
    showLoss(`logs in ${logDir} cannot be written (${reason}); the run continues, and lines are lost`);
  const logPathOf = ({ name }: Program): string => join(logDir, `${name}.log`);

  const spawn = async (program: Program, onLine: (line: string) => void): Promise<Child> => {
    const command = await program.command();
    signal.throwIfAborted();
    const child = spawnChild(command, logPathOf(program), onLine, onLoss);
    running.set(program.name, { program, child });
    onChange();
    return child;
  };

  const start = async (program: Program): Promise<void> => {
    await makePrivateFolder(logDir);
    const showAlarm = throttled(show, alarmQuietMs);
    let isReady = false;
    const onLine = (line: string): void => {
      // During start and stop, peers are missing, so their alarms mean nothing.
      const alarm = isReady && !signal.aborted ? program.alarmIn(line) : undefined;
      if (alarm) showAlarm(`${program.name}: ${alarm}`);
    };
    try {
      const child = await spawn(program, onLine);
      await untilReady(program, child, logPathOf(program));
      isReady = true;
      void keepRunning(program.name, child, () => spawn(program, onLine), show, signal);
    } catch (error) {
      running.delete(program.name);
      throw error;
    }
  };

  const end = async (stages: readonly StopStage[]): Promise<void> => {
    stopping.abort();
    for (const { matches, graceMs } of stages) {
      const staged = [...running.values()].filter(({ program }) => matches(program.name));
      await Promise.all(staged.map(({ child, program }) => child.stop(program.stopSignal, graceMs)));
    }
  };

  let stopped: Promise<void> | undefined;
  return {
    start,
    processes: () => Array.from(running.values(), infoOf),
    stop: (stages) => (stopped ??= end(stages)),
    kill: () => end([{ matches: () => true, graceMs: 0 }]),
  };
}

function infoOf({ program: { name, metricsUrl }, child: { pid } }: Running): ProcessInfo {
  return { name, pid, restartable: true, ...(metricsUrl && { metricsUrl }) };
}

/** Respawns the child whenever it ends, until the signal. */
async function keepRunning(
  name: string,
  child: Child,
  respawn: () => Promise<Child>,
  show: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let startedAt = Date.now();
  let failures = 0;
  while (true) {
    const reason = await child.exited;
    if (signal.aborted) return;
    if (Date.now() - startedAt >= stableMs) failures = 0;
    const waitMs = restartDelayMs(failures);
    failures += 1;
    const when = waitMs === 0 ? 'now' : `in ${waitMs / 1000} s`;
    show(`${name} (process ${child.pid}) ended: ${reason}; restarting ${when}`);
    try {
      await delay(waitMs, undefined, { signal });
      startedAt = Date.now();
      child = await respawn();
      show(`${name} restarted as process ${child.pid}`);
    } catch (error) {
      if (signal.aborted) return;
      show(`${name} could not be started: ${(error as Error).message}`);
    }
  }
}
