import { readdirSync, readFileSync } from 'node:fs';

/** Returns microseconds of processor time since some moment, by process. Never falls. */
export type Clock = () => Record<string, number>;

/**
 * Returns a clock of processes with all their threads and descendants, from the scheduler's account: the ticks of the
 * usual account (`processor-time.ts`) are too coarse for short turns. The time of a descendant between the last reading
 * and its end is left out.
 */
export function startClock(pids: Record<string, number>): Clock {
  const names = Object.entries(pids);
  // The time of every process ever seen: ended ones keep theirs.
  const seen = new Map(names.map(([name]) => [name, new Map<string, number>()]));
  const read = (pid: string, times: Map<string, number>): void => {
    const threads = namesIn(`/proc/${pid}/task`);
    const runNs = threads.map((thread) =>
      Number(textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]),
    );
    const sum = runNs.reduce((all, one) => all + one, 0);
    times.set(pid, Math.max(sum / 1_000, times.get(pid) ?? 0));
    for (const thread of threads) {
      const children = textOf(`/proc/${pid}/task/${thread}/children`).split(' ');
      for (const child of children.filter(Boolean)) read(child, times);
    }
  };
  return () => {
    for (const [name, pid] of names) read(String(pid), seen.get(name) ?? new Map());
    const sums = [...seen].map(([name, times]) => [name, [...times.values()].reduce((a, b) => a + b, 0)]);
    return Object.fromEntries(sums) as Record<string, number>;
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns a file of a process; empty after its end. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
