import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A child process that answers messages one at a time. It ends with this process; disposing ends it. */
export interface Worker extends AsyncDisposable {
  pid: number;
  /** Rejects when the process has ended. */
  ended: Promise<never>;
  /** Sends a message and waits for its answer. Throws when the process ends instead. */
  ask<Answer>(message: object): Promise<Answer>;
}

/** Starts a file as a process, which must end when its channel closes. */
export function startWorker(
  file: string | URL,
  options: { nodeFlags?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Worker {
  const child = fork(file, {
    execArgv: [...(options.nodeFlags ?? [])],
    env: { ...process.env, ...options.env },
    serialization: 'advanced',
  });
  const exited = once(child, 'exit');
  const ended = exited.then(([code, signal]) => {
    throw new Error(`${String(file)} ended: ${signal ?? `exit code ${code}`}`);
  });
  // A caller that waits for an answer gets the error. A requested end is no failure.
  ended.catch(() => {});
  return {
    pid: child.pid ?? 0,
    ended,
    ask: async <Answer>(message: object) => {
      const answered = once(child, 'message') as Promise<[Answer]>;
      child.send(message);
      const [answer] = await Promise.race([answered, ended]);
      return answer;
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
