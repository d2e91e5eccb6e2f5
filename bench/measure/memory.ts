import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in bytes, 0 after its end. Reads /proc: Linux only. */
export function memoryOf(pid: number): number {
  try {
    return statusOf(pid, 'VmRSS');
  } catch {
    return 0;
  }
}

/** Returns the largest resident memory that a process has had, in bytes. Throws after its end. */
export const memoryMax = (pid: number): number => statusOf(pid, 'VmHWM');

function statusOf(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1_024;
}
