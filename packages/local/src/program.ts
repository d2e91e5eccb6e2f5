import { setTimeout as delay } from 'node:timers/promises';
import { type Child, type Command, spawnChild } from './child.ts';
import type { LogFile } from './log-file.ts';

/** A server that we run as a child: how it starts, when it is ready, how it stops. */
export interface Program {
  /** What people see, and the name of its log file: `postgres`, `gateway-1`. */
  name: string;
  /** Called before every start; puts in order what a crash may have left. */
  command: () => Promise<Command>;
  /** Asked again and again until it says yes. */
  isReady: (pid: number) => Promise<boolean>;
  /** What it answers to with an orderly end. */
  stopSignal: NodeJS.Signals;
  /** What someone at the terminal should see of this line of its output; mostly nothing. */
  alarmIn: (line: string) => string | undefined;
}

/** A program could not be started; the message says which one, why, and where its log is. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** How long a program may take to be ready. */
export const readyMsMax = 30_000;
const readyPollMs = 10;

/** Starts the program and answers when it is ready. Throws `StartError` and leaves nothing behind when it is not. */
export async function launch(program: Program, log: LogFile): Promise<Child> {
  const child = spawnChild(await program.command(), log);
  await untilReady(program, child, log);
  return child;
}

/** Waits until the child serves. Throws `StartError`, with the child gone, when it ends or takes too long. */
export async function untilReady(program: Program, child: Child, log: LogFile): Promise<void> {
  const giveUpAt = Date.now() + readyMsMax;
  while (!child.hasExited() && Date.now() < giveUpAt) {
    if (await program.isReady(child.pid)) return;
    await delay(readyPollMs);
  }
  const late = !child.hasExited();
  if (late) await child.stop(program.stopSignal, 2_000);
  const why = late ? `was not ready within ${readyMsMax / 1000} s` : `ended: ${(await child.exited).reason}`;
  const lines = child.recentLines().slice(-5);
  throw new StartError([`${program.name} ${why} (log: ${log.path})`, ...lines].join('\n  '));
}
