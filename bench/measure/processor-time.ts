import { readdirSync, readFileSync } from 'node:fs';

/** The length of a tick of /proc on every Linux that Node runs on (USER_HZ is 100). */
const microsecondsPerTick = 10_000;

interface Stat {
  parent: number;
  own: number;
  /** The time of ended children that were waited for. */
  ended: number;
}

/** Returns the microseconds of processor time of each process; 0 after its end. Reads /proc: Linux only. */
export function timeOf(pid: number): number {
  return statOf(pid)?.own ?? 0;
}

/**
 * Returns the microseconds that a process and all its descendants have used, including ended ones: the time of an ended
 * child is in its parent's account. Never falls, so differences are exact to the length of a tick per process.
 */
export function timeOfTree(root: number): number {
  const stats = allStats();
  const children = Map.groupBy(stats.keys(), (pid) => stats.get(pid)?.parent ?? 0);
  const sum = (pid: number): number => {
    const stat = stats.get(pid);
    const below = children.get(pid) ?? [];
    return below.reduce((total, child) => total + sum(child), (stat?.own ?? 0) + (stat?.ended ?? 0));
  };
  return sum(root);
}

/** Returns the microseconds that all processors together have been busy since the start of the machine. */
export function busyTime(): number {
  const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
    .trim()
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) * microsecondsPerTick;
}

function allStats(): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = pid > 0 && statOf(pid);
    if (stat) stats.set(pid, stat);
  }
  return stats;
}

// proc_pid_stat(5). The name of the command is in parentheses and may contain anything.
function statOf(pid: number): Stat | undefined {
  const text = readOf(pid, 'stat');
  if (text === undefined) return undefined;
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
  return {
    parent,
    own: (utime + stime) * microsecondsPerTick,
    ended: (cutime + cstime) * microsecondsPerTick,
  };
}

/** Returns a file of a process; undefined after its end. */
function readOf(pid: number, name: 'stat' | 'schedstat'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return undefined;
  }
}
