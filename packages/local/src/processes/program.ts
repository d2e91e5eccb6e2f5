import { setTimeout as delay } from 'node:timers/promises';
import { type Child, type Command, spawnChild } from './child.ts';

/** A server or service that runs as a child: how it starts, when it is ready, how it stops. */
export interface Program {
  /** Shown to people, and the name of its log file: `postgres`, `gateway-1`. */
  name: string;
  /** Where Prometheus can scrape it, if anywhere. */
  metricsUrl?: string;
  /** Called before every start; also repairs what a crash may have left. */
  command: () => Promise<Command>;
  /** Polled until it returns true. */
  isReady: (pid: number) => Promise<boolean>;
  /** Stops it cleanly. */
  stopSignal: NodeJS.Signals;
  /** Returns the text of an output line for the terminal; undefined for most lines. */
  alarmIn: (line: string) => string | undefined;
}

/** A run could not be started. The message has the program, the reason and the path of the log. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Only ends what hangs: a busy machine starts a dozen processes in a minute. */
export const readyMsMax = 180_000;
const readyPollMs = 50;
const stopMsMax = 5_000;

/**
 * Starts the program and returns when it is ready. If it is not, throws `StartError` after the child's end.
 */
export async function launch(program: Program, logPath: string): Promise<Child> {
  const child = spawnChild(await program.command(), logPath);
  await untilReady(program, child, logPath);
  return child;
}

/**
 * Waits until the child is ready. If it ends or takes too long, throws `StartError` after the child's end.
 */
export async function untilReady(program: Program, child: Child, logPath: string): Promise<void> {
  const deadline = Date.now() + readyMsMax;
  while (!child.hasExited() && Date.now() < deadline) {
    if (await program.isReady(child.pid)) return;
    await delay(readyPollMs);
  }
  const isLate = !child.hasExited();
  if (isLate) await child.stop(program.stopSignal, 2_000);
  const why = isLate ? `was not ready within ${readyMsMax / 1000} s` : `ended: ${await child.exited}`;
  const lines = child.recentLines().slice(-5);
  throw new StartError([`${program.name} ${why} (log: ${logPath})`, ...lines].join('\n  '));
}

/** A server that can be started: by a supervisor, or alone with `startServer`. */
export interface ServerProgram {
  program: Program;
  url: string;
  port: number;
}

/** A running server without a supervisor. */
export interface Server extends AsyncDisposable {
  url: string;
  port: number;
  pid: number;
  /** Stops it cleanly; open connections are cut. */
  stop(): Promise<void>;
}

/** Starts a server and returns when it is ready. Throws `StartError`. */
export async function startServer({ program, url, port }: ServerProgram, logPath: string): Promise<Server> {
  const child = await launch(program, logPath);
  const stop = (): Promise<void> => child.stop(program.stopSignal, stopMsMax);
  return { url, port, pid: child.pid, stop, [Symbol.asyncDispose]: stop };
}
