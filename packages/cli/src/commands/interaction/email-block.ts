import { type Command, Option } from 'commander';
import { apiCommand, called } from '../../api.ts';
import { writeOutput } from '../../files/text-file.ts';
import type { Shell } from '../../shell.ts';

const someId = '01939f6a-2f40-7c3a-9d55-0123456789ab';

interface Options {
  format: 'html' | 'text';
  locale?: string;
  output?: string;
}

export function addEmailBlock(interaction: Command, shell: Shell): void {
  const command = interaction
    .command('email-block')
    .description('write the first question as a block for an e-mail, with a link per answer')
    .argument('<id>', 'the interaction')
    .addOption(new Option('--format <format>', 'the format').choices(['html', 'text']).default('html'))
    .option('--locale <tag>', 'the language of the customer, such as de; default: of the bot')
    .option('--output <file>', 'the file; default: standard output')
    .addHelpText('after', `\nExample:\n  parley interaction email-block ${someId} --output block.html`);
  apiCommand<Options>(command, shell, async ({ options, open, print }, id: string) => {
    const { format, locale, output } = options;
    const { workspace } = await open();
    const block = await called(
      workspace.interactions.emailBlock(id, { format, locale }),
      `interaction ${id}`,
    );
    if (output === undefined) return void shell.stdout.write(block);
    await writeOutput(output, block, shell);
    print({ id, file: output }, `${output} has the first question of interaction ${id}`);
  });
}
