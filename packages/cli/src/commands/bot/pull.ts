import type { Command } from 'commander';
import { apiCommand } from '../../api.ts';
import type { Shell } from '../../shell.ts';
import { writeOutput } from '../../files/text-file.ts';
import { readVersionNumber } from '../../options/version-number.ts';

const example = `
Examples:
  parley bot pull feedback --output feedback.json
  parley bot pull feedback 3 > old.json

The definition is written byte for byte as it was published. An existing file is replaced.`;

export function addPull(bot: Command, shell: Shell): void {
  const command = bot
    .command('pull')
    .description('write the definition of a version to a file or standard output')
    .argument('<key>', 'the key of the bot')
    .argument('[version]', 'another version', readVersionNumber)
    .option('--output <file>', 'the file')
    .addHelpText('after', example);
  apiCommand<{ output?: string }>(
    command,
    shell,
    async ({ options: { output }, open, print }, key: string, number?: number) => {
      const api = await open();
      const { version, text } = await api.readVersion(await api.botId(key), number);
      if (output === undefined) return void shell.stdout.write(text);
      await writeOutput(output, text, shell);
      print({ file: output, key, version }, `${output} is ${key} version ${version}`);
    },
  );
}
