import { readFileSync } from 'node:fs';

/** Bytes of memory that a process has in use (resident), 0 for one that is gone. Reads /proc: Linux only. */
export function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
