import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface SystemProcess {
  command: string;
  /**
   * The start time in the system's own format. With its id it identifies a process, because ids are reused.
   */
  startedAt: string;
}

/** Describes the process with this id. Returns undefined if there is none, or only a zombie. */
export async function findProcess(pid: number): Promise<SystemProcess | undefined> {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  try {
    const found = await (process.platform === 'linux' ? readProc(pid) : readPs(pid));
    // Z: a zombie; X: dead (proc(5), ps(1)).
    return /^[ZX]/i.test(found.state) ? undefined : found;
  } catch {
    return undefined;
  }
}

async function readProc(pid: number): Promise<SystemProcess & { state: string }> {
  const [stat, command] = await Promise.all(
    ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
  );
  // proc(5): the name in parentheses may contain blanks. The state follows it; the start is the 20th field
  // after the name.
  const fields = String(stat)
    .replace(/^.*\) /s, '')
    .split(' ');
  return {
    state: fields[0] ?? '',
    startedAt: fields[19] ?? '',
    command: String(command).replaceAll('\0', ' ').trim(),
  };
}

async function readPs(pid: number): Promise<SystemProcess & { state: string }> {
  const columns = ['-o', 'stat=', '-o', 'lstart=', '-o', 'command='];
  const { stdout } = await run('ps', ['-ww', ...columns, '-p', String(pid)], { env: { LC_ALL: 'C' } });
  // The start is five words: `Sat Nov 21 09:30:00 2026`.
  const [, state = '', startedAt = '', command = ''] =
    /^(\S+)\s+((?:\S+\s+){4}\S+)\s+(.*)/.exec(stdout) ?? [];
  return { state, startedAt, command };
}

/**
 * Ends a process that an earlier, killed run left behind: with the signal, and with SIGKILL after `graceMs`.
 * Does nothing unless its command line contains the mark, such as a path in the data folder, because ids are
 * reused.
 */
export async function endLeftover(
  pid: number,
  mark: string,
  signal: NodeJS.Signals,
  graceMs: number,
): Promise<void> {
  const isRunning = async (): Promise<boolean> => (await findProcess(pid))?.command.includes(mark) ?? false;
  for (const [attempt, waitMs] of [
    [signal, graceMs],
    ['SIGKILL', 2_000],
  ] as const) {
    if (!(await isRunning())) return;
    try {
      process.kill(pid, attempt);
    } catch (error) {
      // It has exited, as services do after the end of their run.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline && (await isRunning())) await delay(20);
  }
}
