import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../src/run.ts';

const main = resolve(import.meta.dirname, '../src/main.ts');

interface Outcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: string;
}

const inherited = (): NodeJS.ProcessEnv => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
};

/** A `parley` that runs in this process. */
export interface RunningCommand {
  stdin: PassThrough;
  stdout: PassThrough;
  /** As if its process got the signal. */
  signal(name: NodeJS.Signals): void;
  outcome: Promise<Outcome>;
}

/** Starts `parley` in this process. Its standard input stays open, like a terminal. */
export function startCommand(args: string[], options: CommandOptions = {}): RunningCommand {
  const { cwd = import.meta.dirname, env = {} } = options;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const emitter = new EventEmitter();
  const shell = { env: { ...inherited(), ...env }, cwd: () => cwd, stdin, stdout, stderr };
  const printed = Promise.all([text(stdout), text(stderr)]);
  const finish = async (): Promise<Outcome> => {
    const exitCode = await run(args, Object.assign(emitter, shell));
    stdout.end();
    stderr.end();
    const [output, errors] = await printed;
    return { exitCode, stdout: output, stderr: errors };
  };
  return { stdin, stdout, signal: (name) => void emitter.emit(name, name), outcome: finish() };
}

/** Runs `parley` in this process. */
export async function runCommand(args: string[], options: CommandOptions = {}): Promise<Outcome> {
  const { stdin, outcome } = startCommand(args, options);
  stdin.end(options.input ?? '');
  return outcome;
}

/** Runs `parley` in a process of its own, whose standard input stays open after the text, like a terminal. */
export async function runProcess(args: string[], options: CommandOptions = {}): Promise<Outcome> {
  const { cwd = import.meta.dirname, env = {}, input = '' } = options;
  const child = spawn(process.execPath, ['--conditions=@parley/source', main, ...args], {
    cwd,
    env: { ...inherited(), ...env },
    stdio: 'pipe',
  });
  child.stdin.on('error', () => {});
  child.stdin.write(input);
  const exited = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await exited;
  child.stdin.destroy();
  return { exitCode: child.exitCode, stdout, stderr };
}
