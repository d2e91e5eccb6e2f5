import type { Command } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, openApi } from '../../api.ts';
import { print } from '../../output.ts';
import type { Shell } from '../../shell.ts';
import { writeOutput } from '../../files/text-file.ts';
import { readVersionNumber } from '../../options/version-number.ts';

const example = `
Examples:
  parley bot pull feedback --output feedback.json
  parley bot pull feedback 3 > old.json

The definition is written byte for byte as it was published. An existing file is replaced.
${apiHelp}`;

export function addPull(bot: Command, shell: Shell): void {
  const command = bot
    .command('pull')
    .description('write the definition of a version to a file or standard output')
    .argument('<key>', 'the key of the bot')
    .argument('[version]', 'another version', readVersionNumber)
    .option('--output <file>', 'the file')
    .addHelpText('after', example);
  addApiOptions(command).action(async (key: string, number: number | undefined, _, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions & { output?: string }>();
    const api = await openApi(options, shell);
    const { version, text } = await api.readVersion(await api.botId(key), number);
    const { output } = options;
    if (output === undefined) return void shell.stdout.write(text);
    await writeOutput(output, text, shell);
    print(shell, options.json, { file: output, key, version }, `${output} is ${key} version ${version}`);
  });
}
