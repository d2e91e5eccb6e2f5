import { execFile, type ExecFileOptions, spawn } from 'node:child_process';
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The command and its account. Without `env` the child gets an almost empty environment. */
export interface Command {
  file: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  /**
   * Keeps a pipe to the child's standard input open. The child exits when the pipe closes because this
   * process has died.
   */
  stdinPipe?: boolean;
}

/**
 * A running child process, in its own process group so that Ctrl-C on the terminal reaches only this process.
 */
export interface Child {
  pid: number;
  /**
   * Resolves to the reason of its end, for people: `exit code 1`, `SIGKILL`, `spawn ENOENT`. Never rejects.
   */
  exited: Promise<string>;
  hasExited(): boolean;
  /** The newest lines of its output, oldest first. */
  recentLines(): string[];
  /** Sends the signal, then SIGKILL to its group after `graceMs`. Returns when the child is gone. */
  stop(signal: NodeJS.Signals, graceMs: number): Promise<void>;
}

/**
 * Runs a program to its end, which the signal hastens. Rejects with its `stderr` if it fails. Unlike with the option
 * `signal` of `execFile`, it has ended then.
 */
export async function runToEnd(
  file: string,
  args: readonly string[],
  options: ExecFileOptions,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const running = run(file, args, { ...options, encoding: 'utf8' });
  const end = (): void => void running.child.kill();
  signal?.addEventListener('abort', end);
  await running.finally(() => signal?.removeEventListener('abort', end));
}

const recentLinesMax = 20;
const logBytesMax = 10_000_000;

/**
 * Starts the command. Appends its output to the log, after moving a large log to `<path>.1`. `onLine` gets
 * each line, `onLoss` the reason for each line that cannot be logged. A failure to start appears as an early
 * exit.
 */
export function spawnChild(
  command: Command,
  logPath: string,
  onLine: (line: string) => void = () => {},
  onLoss: (reason: string) => void = () => {},
): Child {
  const { file, args, env, uid, gid, stdinPipe } = command;
  const child = spawn(file, args, {
    cwd: '/',
    detached: true,
    env: env ?? { PATH: process.env['PATH'], LANG: 'C', TZ: 'UTC' },
    stdio: [stdinPipe ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  child.stdin?.on('error', () => {});

  const log = openLog(logPath, onLoss);
  const recent: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      log(line);
      recent.push(line);
      if (recent.length > recentLinesMax) recent.shift();
      onLine(line);
    });
  }

  let hasExited = false;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.once('error', (error) => child.pid === undefined && resolve(error.message));
  });
  void exited.then(() => (hasExited = true));
  const pid = child.pid ?? 0;
  return {
    pid,
    exited,
    hasExited: () => hasExited,
    recentLines: () => [...recent],
    stop: async (signal, graceMs) => {
      if (hasExited || !pid) return;
      child.kill(signal);
      const timer = setTimeout(() => killGroup(pid), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

function openLog(path: string, onLoss: (reason: string) => void): (line: string) => void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(path, `${path}.1`);
  return (line) => {
    try {
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch (error) {
      onLoss((error as Error).message);
    }
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Changes the command so that the kernel sends it the signal when this process dies. Only Linux with
 * util-linux supports that; elsewhere the command is unchanged.
 */
export async function dieWithParent(command: Command, signal: 'INT' | 'TERM'): Promise<Command> {
  setpriv ??= run('setpriv', ['--pdeathsig', 'TERM', '--', 'true']).then(
    () => true,
    () => false,
  );
  if (!(await setpriv)) return command;
  return { ...command, file: 'setpriv', args: ['--pdeathsig', signal, '--', command.file, ...command.args] };
}

let setpriv: Promise<boolean> | undefined;
