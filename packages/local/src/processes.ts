import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, spawnChild } from './child.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { makePrivateFolder } from './private-file.ts';
import { type Program, untilReady } from './program.ts';
import { restartDelayMs } from './restart-delay.ts';
import { throttled } from './throttled.ts';

/** A child as the outside sees it. */
export interface ProcessInfo {
  name: string;
  pid: number;
  restartable: boolean;
}

interface SupervisorOptions {
  /** Every child's output goes to `<name>.log` here. */
  logDir: string;
  /** What someone at the terminal should see: alarming lines of children, deaths and restarts. */
  show: (line: string) => void;
  /** Called after every start of a child. */
  onChange: () => void;
}

/** Keeps children running: one that ends is started again, the same way, until `stop`. */
export interface Supervisor {
  /** Starts a program and answers when it is ready. Throws `StartError`; a program that failed is not kept. */
  start(program: Program): Promise<void>;
  /** The children of now, in the order they were started. */
  processes(): ProcessInfo[];
  /** Ends all children, one stage of names after the other, each stage with its own time before SIGKILL. */
  stop(stages: readonly StopStage[]): Promise<void>;
  /** Ends all children at once, with SIGKILL. */
  kill(): Promise<void>;
}

export interface StopStage {
  /** Which children end in this stage. */
  matches: (name: string) => boolean;
  graceMs: number;
}

interface Kept {
  program: Program;
  log: LogFile;
  child: Child;
  startedAt: number;
}

// A child that has run so long is started again without a wait.
const ranWellMs = 10_000;

// What goes wrong goes wrong in many lines; the log has them all.
const alarmQuietMs = 1_000;

// A full disk affects all logs and lasts.
const lossQuietMs = 60_000;

/** An empty supervisor. */
export function supervise({ logDir, show, onChange }: SupervisorOptions): Supervisor {
  const kept = new Map<string, Kept>();
  const ready = new Set<string>();
  const stopping = new AbortController();
  const showLoss = throttled(show, lossQuietMs);
  const onLoss = (reason: string): void =>
    showLoss(`logs in ${logDir} cannot be written (${reason}); the run goes on, and lines are lost`);

  function watchAlarms({ name, alarmIn }: Program): (line: string) => void {
    const showAlarm = throttled(show, alarmQuietMs);
    return (line) => {
      // While it starts and while it stops, much is missing that should not alarm anyone.
      if (!ready.has(name) || stopping.signal.aborted) return;
      const alarm = alarmIn(line);
      if (alarm) showAlarm(`${name}: ${alarm}`);
    };
  }

  async function spawnKept(program: Program, log: LogFile): Promise<Kept> {
    const command = await program.command();
    stopping.signal.throwIfAborted();
    const child = spawnChild(command, log, watchAlarms(program));
    const entry = { program, log, child, startedAt: Date.now() };
    kept.set(program.name, entry);
    onChange();
    return entry;
  }

  async function keepRunning(entry: Kept): Promise<void> {
    const { program, log } = entry;
    let { child, startedAt } = entry;
    let failures = 0;
    while (true) {
      const { reason } = await child.exited;
      if (stopping.signal.aborted) return;
      failures = Date.now() - startedAt >= ranWellMs ? 0 : failures;
      const waitMs = restartDelayMs(failures);
      failures += 1;
      const when = waitMs === 0 ? 'now' : `in ${waitMs / 1000} s`;
      show(`${program.name} (process ${child.pid}) ended: ${reason}; starting it again ${when}`);
      try {
        await delay(waitMs, undefined, { signal: stopping.signal });
        ({ child, startedAt } = await spawnKept(program, log));
        show(`${program.name} runs again as process ${child.pid}`);
      } catch (error) {
        if (stopping.signal.aborted) return;
        show(`${program.name} could not be started: ${(error as Error).message}`);
        startedAt = Date.now();
      }
    }
  }

  async function end(stages: readonly StopStage[]): Promise<void> {
    stopping.abort();
    for (const { matches, graceMs } of stages) {
      const staged = [...kept.values()].filter(({ program }) => matches(program.name));
      await Promise.all(staged.map(({ child, program }) => child.stop(program.stopSignal, graceMs)));
    }
    for (const { log } of kept.values()) log.close();
  }

  return {
    start: async (program) => {
      await makePrivateFolder(logDir);
      const log = openLogFile(join(logDir, `${program.name}.log`), onLoss);
      try {
        const entry = await spawnKept(program, log);
        await untilReady(program, entry.child, log);
        ready.add(program.name);
        void keepRunning(entry);
      } catch (error) {
        kept.delete(program.name);
        log.close();
        throw error;
      }
    },
    processes: () =>
      [...kept.values()].map(({ program, child }) => ({
        name: program.name,
        pid: child.pid,
        restartable: true,
      })),
    stop: end,
    kill: () => end([{ matches: () => true, graceMs: 0 }]),
  };
}
