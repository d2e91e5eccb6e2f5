import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { LogFile } from './log-file.ts';

const run = promisify(execFile);

/** What to execute, and as whom. Without `env` the child gets an almost empty one. */
export interface Command {
  file: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  /** Keeps a pipe to the child's standard input open: its end tells the child that we are gone. */
  stdinPipe?: boolean;
}

/** How a child ended. `reason` is for people: `exit code 1`, `SIGKILL`, `spawn ENOENT`. */
export interface Exit {
  code: number | null;
  reason: string;
}

/** One running child process, in a process group of its own so that Ctrl-C on the terminal reaches only us. */
export interface Child {
  pid: number;
  /** Never rejects. */
  exited: Promise<Exit>;
  hasExited(): boolean;
  /** The newest lines of its output, oldest first. */
  recentLines(): string[];
  /** Sends the signal, then SIGKILL after `graceMs`; answers when the child is gone. */
  stop(signal: NodeJS.Signals, graceMs: number): Promise<void>;
}

const recentLinesMax = 20;

/** Starts the command. Its lines go to the log and to `onLine`. A failure to start shows as an early exit. */
export function spawnChild(command: Command, log: LogFile, onLine: (line: string) => void = () => {}): Child {
  const recent: string[] = [];
  let exit: Exit | undefined;
  const child = spawn(command.file, command.args, {
    cwd: '/',
    detached: true,
    env: command.env ?? { PATH: process.env['PATH'], LANG: 'C', TZ: 'UTC' },
    stdio: [command.stdinPipe ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    ...(command.uid === undefined ? {} : { uid: command.uid }),
    ...(command.gid === undefined ? {} : { gid: command.gid }),
  });
  child.stdin?.on('error', () => {});
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      log.write(line);
      recent.push(line);
      if (recent.length > recentLinesMax) recent.shift();
      onLine(line);
    });
  }
  const exited = new Promise<Exit>((resolve) => {
    const end = (value: Exit): void => {
      exit ??= value;
      resolve(exit);
    };
    child.once('error', (error) => {
      if (child.pid === undefined) end({ code: null, reason: error.message });
    });
    child.once('exit', (code, signal) => end({ code, reason: signal ?? `exit code ${code}` }));
  });
  const pid = child.pid ?? 0;

  return {
    pid,
    exited,
    hasExited: () => exit !== undefined,
    recentLines: () => [...recent],
    stop: async (signal, graceMs) => {
      if (exit || !pid) return;
      child.kill(signal);
      const timer = setTimeout(() => endGroup(pid), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/**
 * The command, changed so that the kernel sends it the signal when we die, however we die.
 * Only Linux with util-linux can do that; elsewhere the command stays as it is.
 */
export async function dieWithParent(command: Command, signal: 'INT' | 'TERM'): Promise<Command> {
  if (!(await hasSetpriv())) return command;
  return { ...command, file: 'setpriv', args: ['--pdeathsig', signal, '--', command.file, ...command.args] };
}

let setpriv: Promise<boolean> | undefined;

function hasSetpriv(): Promise<boolean> {
  setpriv ??=
    process.platform === 'linux'
      ? run('setpriv', ['--pdeathsig', 'TERM', '--', 'true']).then(
          () => true,
          () => false,
        )
      : Promise.resolve(false);
  return setpriv;
}

/** Ends a child that has a process group of its own, and all that it has started, with SIGKILL. */
export function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
