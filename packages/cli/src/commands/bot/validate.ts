import { contextNames } from '@parley/bot/definition';
import type { Command } from 'commander';
import { type BotFile, readBot } from '../../bot-file.ts';
import { Failure, faultCount } from '../../failure.ts';
import { faultJson, print, printWarnings } from '../../output.ts';
import { parley } from '../../own-command.ts';
import type { GlobalOptions } from '../../target.ts';

const example = `
Example:
  ${parley} bot validate feedback.json

Each fault is shown with its file, line and column. Exit code 1 when any file has
one.`;

/** Adds `bot validate`. */
export function addValidate(bot: Command): void {
  bot
    .command('validate')
    .description('check bot definitions; lists all faults, each with its line')
    .argument('<file...>', 'the definitions, as JSON')
    .addHelpText('after', example)
    .action(async (files: string[], _, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const read = await Promise.all(files.map(readOrFailure));
      const valid = read.filter((one) => 'definition' in one);
      const faulty = read.filter((one) => 'failure' in one);
      const verdicts = valid.map(verdict);
      if (!json || faulty.length === 0) {
        if (!json) printWarnings(valid.flatMap(({ warnings }) => warnings));
        const lines = valid.map(describe).join('\n');
        if (lines !== '') print(json, files.length === 1 ? verdicts[0] : verdicts, lines);
      }
      if (faulty.length > 0) throw summed(faulty, files.length);
    });
}

interface Faulty {
  file: string;
  failure: Failure;
}

async function readOrFailure(file: string): Promise<BotFile | Faulty> {
  try {
    return await readBot(file);
  } catch (error) {
    if (error instanceof Failure) return { file, failure: error };
    throw error;
  }
}

function summed(faulty: Faulty[], fileCount: number): Failure {
  const [first] = faulty;
  if (first && fileCount === 1) return first.failure;
  // A file that cannot be read has no faults by place: that is its fault.
  const faults = faulty.flatMap(
    ({ file, failure }) => failure.faults ?? [{ pointer: '', detail: failure.message, file }],
  );
  const message = `${faulty.length} of ${fileCount} files are not valid bot definitions: ${faultCount(faults.length)}`;
  return new Failure(message, { type: 'invalid-definition', faults });
}

function verdict({ file, definition, warnings }: BotFile) {
  const { key, name, steps } = definition;
  return {
    valid: true,
    file,
    key,
    name,
    context: contextNames(definition),
    steps: steps.length,
    warnings: warnings.map(faultJson),
  };
}

function describe({ file, definition: { key, steps } }: BotFile): string {
  return `${file} is a valid bot definition: ${key}, ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`;
}
