import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in bytes, 0 after its end. Reads /proc: Linux only. */
export function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Returns the largest resident memory that a process has had, in bytes. */
export function memoryMax(pid: number): number {
  const [, kilobytes = '0'] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}
