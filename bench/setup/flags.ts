import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** The command line is invalid; the message has the reason, in one line. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** Returns the values of the flags. Throws `FlagError` for an unknown one. */
export function readFlags<const Options extends ParseArgsOptionsConfig>(options: Options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new FlagError(String((error as Error).message.split('\n')[0]), { cause: error });
  }
}

/** Returns a number of at least `min`. Throws `FlagError`. */
export function numberFlag(name: string, text: string, min: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= min) return value;
  throw new FlagError(`--${name} must be a number of at least ${min}, not "${text}"`);
}

/** Returns one of the choices. Throws `FlagError`. */
export function choiceFlag<Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((one) => one === text);
  if (choice === undefined) throw new FlagError(`--${name} must be one of ${choices.join(', ')}`);
  return choice;
}

/**
 * Runs a benchmark to its end: prints only the report on standard output. Ctrl-C, SIGTERM and a closed standard output
 * abort the signal of `main`. Exit codes: 0, 1 after a failure, 2 for invalid flags, 130 after an interruption.
 */
export async function runBenchmark(main: (ended: AbortSignal) => Promise<void>): Promise<never> {
  if (process.platform !== 'linux') {
    process.stderr.write('benchmarks read /proc, which only Linux has\n');
    process.exit(1);
  }
  const ended = new AbortController();
  const end = (): void => {
    ended.abort();
    // Work that ignores the signal must not keep the machine busy. All children end with this process.
    setTimeout(() => process.exit(130), endMsMax).unref();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, end);
  // Nobody reads the report any more, such as after `| head`.
  process.stdout.on('error', end);
  try {
    await main(ended.signal);
    process.exit(0);
  } catch (error) {
    if (ended.signal.aborted) process.exit(130);
    if (error instanceof FlagError) process.stderr.write(`${error.message} (see --help)\n`);
    else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(error instanceof FlagError ? 2 : 1);
  }
}

const endMsMax = 20_000;
const startedAt = Date.now();

/** Prints a line of progress on standard error. */
export function show(line: string): void {
  process.stderr.write(`[${((Date.now() - startedAt) / 1000).toFixed(1)} s] ${line}\n`);
}
