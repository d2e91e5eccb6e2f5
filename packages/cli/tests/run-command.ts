import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const main = resolve(import.meta.dirname, '../src/main.ts');

interface Outcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Standard input. Without `endsInput` it stays open after the text, like a terminal. */
  input?: string;
  endsInput?: boolean;
}

/** Runs `parley` in a child process. */
export async function runCommand(args: string[], options: CommandOptions = {}): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { cwd = import.meta.dirname, env = {}, input = '', endsInput = true } = options;
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: 'pipe',
  });
  child.stdin.on('error', () => {});
  child.stdin.write(input);
  if (endsInput) child.stdin.end();
  const exited = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await exited;
  child.stdin.destroy();
  return { exitCode: child.exitCode, stdout, stderr };
}
