import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of /proc are of this length on every Linux that Node runs on (USER_HZ is 100). */
const microsecondsPerTick = 10_000;

interface Stat {
  parent: number;
  own: number;
  /** Of children that have ended and were waited for. */
  ended: number;
}

/** Microseconds of processor time that each process has used; 0 for one that is gone. Reads /proc: Linux only. */
export function timeOf(pid: number): number {
  return statOf(pid)?.own ?? 0;
}

/**
 * Microseconds that a process and all its descendants have used, those that have ended included: what an ended child
 * used is in its parent's account. Never falls, so differences are exact to the length of a tick per process.
 */
export function timeOfTree(root: number): number {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = pid > 0 && statOf(pid);
    if (stat) stats.set(pid, stat);
  }
  const children = Map.groupBy(stats.keys(), (pid) => stats.get(pid)?.parent ?? 0);
  const sum = (pid: number): number => {
    const stat = stats.get(pid);
    const below = children.get(pid) ?? [];
    return below.reduce((total, child) => total + sum(child), (stat?.own ?? 0) + (stat?.ended ?? 0));
  };
  return sum(root);
}

/** Microseconds that all processors together have been busy since the machine was started. */
export function busyTime(): number {
  const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
    .trim()
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) * microsecondsPerTick;
}

// proc_pid_stat(5). The name of the command is in parentheses and may hold anything.
function statOf(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
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
