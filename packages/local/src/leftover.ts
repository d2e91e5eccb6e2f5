import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The command line of a process, or undefined when there is none with this id. */
export async function commandLine(pid: number): Promise<string | undefined> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  try {
    if (process.platform === 'linux') {
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim() || undefined;
    }
    return (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Ends a process that an earlier, killed run left behind. It is ours only if its command line holds the mark
 * (a path in our data folder): ids are used again. Tries the signal for `graceMs`, then SIGKILL.
 */
export async function endLeftover(
  pid: number,
  mark: string,
  signal: NodeJS.Signals,
  graceMs: number,
): Promise<void> {
  for (const [attempt, waitMs] of [
    [signal, graceMs],
    ['SIGKILL', 2_000],
  ] as const) {
    const giveUpAt = Date.now() + waitMs;
    if (!(await isMarked(pid, mark))) return;
    try {
      process.kill(pid, attempt);
    } catch (error) {
      // It has ended by itself meanwhile, as services do whose run is gone.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    while (Date.now() < giveUpAt) {
      if (!(await isMarked(pid, mark))) return;
      await delay(20);
    }
  }
}

async function isMarked(pid: number, mark: string): Promise<boolean> {
  return (await commandLine(pid))?.includes(mark) ?? false;
}

/**
 * When a process started, in whatever form the system tells it; undefined when there is no such process. One that has ended
 * and waits for its parent to notice is none.
 */
export async function startedAt(pid: number): Promise<string | undefined> {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  try {
    if (process.platform === 'linux') {
      // proc(5): the name in parentheses may hold blanks; the state comes next, the start is the 20th after the name.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return hasEnded(fields[0]) ? undefined : fields[19];
    }
    const { stdout } = await run('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]);
    const [state, ...start] = stdout.trim().split(/\s+/);
    return hasEnded(state) ? undefined : start.join(' ') || undefined;
  } catch {
    return undefined;
  }
}

/** Z: a zombie; X: dead (proc(5), ps(1)). */
function hasEnded(state: string | undefined): boolean {
  return /^[ZXx]/.test(state ?? '');
}
