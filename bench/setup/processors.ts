import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Runs `start` so that the processes that it starts have all processors but the first, and this process has that one
 * afterwards: a client that makes calls then takes no time of the system. Needs two processors and `taskset`.
 */
export async function apart<Started>(start: () => Promise<Started>): Promise<Started> {
  const processors = availableParallelism();
  if (processors < 2) throw new Error('the client needs a processor of its own: there is only one');
  // Children inherit what this process has.
  runOn(`1-${processors - 1}`);
  try {
    return await start();
  } finally {
    runOn('0');
  }
}

function runOn(processors: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', processors, String(process.pid)], {
    stdio: 'ignore',
  });
}
