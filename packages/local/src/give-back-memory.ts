import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const checkMs = 3_000;
const idleShare = 0.05;
const worthwhileBytes = 8_000_000;

// The option that makes V8 shrink its young generation too; `@types/node` does not know it yet.
type CollectGarbage = (options: { type: 'major'; flavor: 'last-resort' }) => void;

/**
 * Gives memory back to the system whenever the process is idle and holds much more than it uses: V8 keeps what a burst
 * of work (starting up, above all) has made it take, and six such processes are a lot for a laptop.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as CollectGarbage;
  let last = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    const { heapTotal, heapUsed } = process.memoryUsage();
    if (utilization < idleShare && heapTotal - heapUsed > worthwhileBytes) {
      collectGarbage({ type: 'major', flavor: 'last-resort' });
    }
  }, checkMs).unref();
}
