import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Answer, Errands } from './errands.ts';
import { nodeFlags } from './service-program.ts';

/**
 * Does what a start needs once in a process of its own: drivers and gRPC would else stay loaded here as long as the run
 * lasts. Throws with the errand's message when it fails.
 */
export async function runErrand<Name extends keyof Errands>(
  name: Name,
  input: Parameters<Errands[Name]>[0],
): Promise<Awaited<ReturnType<Errands[Name]>>> {
  const child = fork(resolve(import.meta.dirname, 'errands.ts'), {
    execArgv: nodeFlags,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`its process ended: ${signal ?? `exit code ${code}`}`);
  });
  child.send({ name, input });
  const [answer] = (await Promise.race([once(child, 'message'), exited])) as [Answer];
  child.disconnect();
  if ('failure' in answer) throw new Error(answer.failure);
  return answer.result as Awaited<ReturnType<Errands[Name]>>;
}
