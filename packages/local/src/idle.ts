import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

const checkMs = 1_000;
const startMsMax = 6_000;
const idleShare = 0.05;
const busyShare = 0.1;
const worthwhileBytes = 4_000_000;

/**
 * Keeps a process small that mostly waits: one of six on somebody's laptop. To be called under the flags of `idle-flags`,
 * with which V8 does without its compilers: loading modules would wake them, and they stay in memory, some 10 MB with
 * what they make. They are switched on when there is work. Whenever there is none, memory that V8 holds but does not use
 * goes back to the system.
 */
export function saveMemory(): void {
  let last = performance.eventLoopUtilization();
  let isStarting = true;
  let isCompiling = false;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    isStarting &&= utilization >= idleShare && performance.now() < startMsMax;
    if (utilization >= busyShare && !isStarting && !isCompiling) {
      for (const compiler of ['sparkplug', 'maglev', 'opt']) setFlagsFromString(`--${compiler}`);
      isCompiling = true;
    }
    if (utilization < idleShare) giveBackMemory();
  }, checkMs).unref();
}

function giveBackMemory(): void {
  const { heapTotal, heapUsed } = process.memoryUsage();
  if (heapTotal - heapUsed < worthwhileBytes) return;
  // `last-resort` shrinks the young generation too; `@types/node` does not know it yet.
  const collectGarbage = globalThis.gc as
    | ((options: { type: 'major'; flavor: 'last-resort' }) => void)
    | undefined;
  collectGarbage?.({ type: 'major', flavor: 'last-resort' });
}
