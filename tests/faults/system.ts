import type { System } from '@parley/local/system';
import { startTestSystem } from '@parley/testing/setup/system';
import { type Processes, processesOf } from '../system/processes.ts';

/** A system whose processes die, with one process of each service. */
export interface Faulty {
  system: System;
  processes: Processes;
  /** What it has shown on the terminal. */
  shown: string[];
}

/** Starts it. The stack ends it. */
export async function startFaulty(stack: AsyncDisposableStack): Promise<Faulty> {
  const shown: string[] = [];
  const show = (line: string): unknown => shown.push(line);
  const system = stack.use(await startTestSystem({ restartable: true, env: { LOG_LEVEL: 'info' }, show }));
  return { system, processes: processesOf(system), shown };
}
