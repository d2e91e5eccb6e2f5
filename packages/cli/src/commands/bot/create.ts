import { type Command, Option } from 'commander';
import { apiCommand, called } from '../../api.ts';
import { table } from '../../output.ts';
import type { Shell } from '../../shell.ts';

const example = `
Examples:
  parley bot templates
  parley bot create --template nps --key after-purchase --name 'Your opinion' --locale de

The bot has the words of the template, in English and German, and is live at once. Change it in
the console, or with: parley bot pull KEY`;

type CreateOptions = { template: string; key?: string; name?: string; locale?: string };

/** `create` and `templates`. */
export function addCreate(bot: Command, shell: Shell): void {
  const command = bot
    .command('create')
    .description('create a bot from a template')
    .requiredOption('--template <id>', 'the template')
    .option('--key <key>', 'the key of the bot; by default the id of the template')
    .option('--name <name>', 'the name that customers read')
    .addOption(localeOption())
    .addHelpText('after', example);
  apiCommand<CreateOptions>(command, shell, async ({ options, open, print }) => {
    const { template, key = template, name, locale } = options;
    const { workspace } = await open();
    const body = {
      template,
      key,
      ...(name !== undefined && { name }),
      ...(locale !== undefined && { locale }),
    };
    const made = await called(workspace.bots.create(body));
    print(made, `${key} version ${made.version}, bot ${made.id}`);
  });
  addTemplates(bot, shell);
}

function addTemplates(bot: Command, shell: Shell): void {
  const command = bot
    .command('templates')
    .description('list the templates of bots')
    .addOption(localeOption())
    .addHelpText('after', '\nExample:\n  parley bot templates --locale de');
  apiCommand<{ locale?: 'en' | 'de' }>(command, shell, async ({ options, open, print }) => {
    const { locale } = options;
    const { workspace } = await open();
    const { data } = await called(workspace.bots.listTemplates({ locale }));
    const rows = data.map(({ id, name, description }) => [id, name, description]);
    print(data, table(['TEMPLATE', 'NAME', 'DESCRIPTION'], rows, 'There are no templates.'));
  });
}

function localeOption(): Option {
  return new Option('--locale <language>', 'the language').choices(['en', 'de']);
}
