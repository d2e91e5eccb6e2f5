import { contextNames } from '@parley/bot/definition';
import type { Command } from 'commander';
import { type BotFile, readBot } from '../../files/bot-file.ts';
import { counted } from '../../counted.ts';
import { Failure } from '../../failure.ts';
import { faultJson, print, printWarnings } from '../../output.ts';
import type { Shell } from '../../shell.ts';
import type { GlobalOptions } from '../../target.ts';

const example = `
Example:
  parley bot validate feedback.json

Prints each fault with its file, line and column. The exit code is 1 if a file has a
fault.`;

export function addValidate(bot: Command, shell: Shell): void {
  bot
    .command('validate')
    .description('check bot definitions; list all faults with their lines')
    .argument('<file...>', 'the definitions, as JSON or YAML')
    .addHelpText('after', example)
    .action(async (files: string[], _, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const read = await Promise.all(files.map((file) => readOrFailure(file, shell)));
      const valid = read.filter((one) => 'definition' in one);
      const faulty = read.filter((one) => 'failure' in one);
      const results = valid.map(resultOf);
      if (!json || faulty.length === 0) {
        if (!json)
          printWarnings(
            shell,
            valid.flatMap(({ warnings }) => warnings),
          );
        const lines = valid.map(describe).join('\n');
        if (lines !== '') print(shell, json, files.length === 1 ? results[0] : results, lines);
      }
      if (faulty.length > 0) throw combined(faulty, files.length);
    });
}

interface Faulty {
  file: string;
  failure: Failure;
}

async function readOrFailure(file: string, shell: Shell): Promise<BotFile | Faulty> {
  try {
    return await readBot(file, shell);
  } catch (error) {
    if (error instanceof Failure) return { file, failure: error };
    throw error;
  }
}

function combined(faulty: Faulty[], fileCount: number): Failure {
  const [first] = faulty;
  if (first && fileCount === 1) return first.failure;
  // A file that cannot be read has one fault, without a place.
  const faults = faulty.flatMap(
    ({ file, failure }) => failure.faults ?? [{ pointer: '', detail: failure.message, file }],
  );
  const message = `${faulty.length} of ${fileCount} files are not valid bot definitions: ${counted(faults.length, 'fault')}`;
  return new Failure(message, { type: 'invalid-definition', faults });
}

function resultOf({ file, definition, warnings }: BotFile) {
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
  return `${file} is a valid bot definition: ${key}, ${counted(steps.length, 'step')}`;
}
