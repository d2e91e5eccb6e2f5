import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { endGroup } from './child.ts';
import type { Answer, Errands } from './errands.ts';
import { nodeFlags } from './service-program.ts';

/** How long an errand that is given up may tidy up. */
const tidyMsMax = 3_000;

/**
 * Does what a start needs once in a process of its own: drivers and gRPC would else stay loaded here as long as the run
 * lasts. Throws with the errand's message when it fails. The signal gives it up: then it throws the signal's reason as
 * soon as the process has tidied up and is gone, within three seconds.
 */
export async function runErrand<Name extends keyof Errands>(
  name: Name,
  input: Parameters<Errands[Name]>[0],
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Errands[Name]>>> {
  signal?.throwIfAborted();
  const child = fork(resolve(import.meta.dirname, 'errands.ts'), {
    // Ctrl-C on the terminal reaches only us.
    detached: true,
    execArgv: nodeFlags,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let overdue: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (!child.connected) return;
    child.disconnect();
    overdue = setTimeout(() => endGroup(Number(child.pid)), tidyMsMax);
  };
  signal?.addEventListener('abort', stop, { once: true });
  const exited = once(child, 'exit').then(([code, killedBy]) => {
    signal?.throwIfAborted();
    throw new Error(`its process ended: ${killedBy ?? `exit code ${code}`}`);
  });
  try {
    child.send({ name, input });
    const [answer] = (await Promise.race([once(child, 'message'), exited])) as [Answer];
    if ('failure' in answer) throw new Error(answer.failure);
    return answer.result as Awaited<ReturnType<Errands[Name]>>;
  } finally {
    clearTimeout(overdue);
    signal?.removeEventListener('abort', stop);
    if (child.connected) child.disconnect();
  }
}
