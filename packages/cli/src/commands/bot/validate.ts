import { contextNames } from '@parley/bot/definition';
import type { Command } from 'commander';
import { type BotFile, readBot } from '../../bot-file.ts';
import { Failure, faultCount } from '../../failure.ts';
import { print } from '../../output.ts';
import type { GlobalOptions } from '../../target.ts';

const example = `
Example:
  parley bot validate bots/*.json

Each fault is told with file, line and column, and its line. Exit code 1 when any
file has one.`;

/** Adds `bot validate`. */
export function addValidate(bot: Command): void {
  bot
    .command('validate')
    .description('check bot definitions; lists all faults, each with its line')
    .argument('<file...>', 'the definitions, as JSON')
    .addHelpText('after', example)
    .action(async (files: string[], _, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const read = await Promise.all(files.map(readOrFaults));
      const valid = read.filter((one): one is BotFile => !(one instanceof Failure));
      const faulty = read.filter((one) => one instanceof Failure);
      const verdicts = valid.map(verdict);
      if (!json || faulty.length === 0) {
        const lines = valid.map(describe).join('\n');
        if (lines !== '') print(json, files.length === 1 ? verdicts[0] : verdicts, lines);
      }
      if (faulty.length > 0) throw summed(faulty, files.length);
    });
}

async function readOrFaults(file: string): Promise<BotFile | Failure> {
  try {
    return await readBot(file);
  } catch (error) {
    if (error instanceof Failure && error.faults) return error;
    throw error;
  }
}

function summed(faulty: Failure[], fileCount: number): Failure {
  const [first] = faulty;
  if (first && fileCount === 1) return first;
  const faults = faulty.flatMap((one) => one.faults ?? []);
  const message = `${faulty.length} of ${fileCount} files are not valid bot definitions: ${faultCount(faults.length)}`;
  return new Failure(message, { type: 'invalid-definition', faults });
}

function verdict({ file, definition }: BotFile) {
  const { key, name, steps } = definition;
  return { valid: true, file, key, name, context: contextNames(definition), steps: steps.length };
}

function describe({ file, definition: { key, steps } }: BotFile): string {
  return `${file} is a valid bot definition: ${key}, ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`;
}
