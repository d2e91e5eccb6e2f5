import { type Command, Option } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, called, openApi } from '../../api.ts';
import { print, table } from '../../output.ts';
import type { Shell } from '../../shell.ts';

const example = `
Examples:
  parley bot templates
  parley bot create --template nps --key after-purchase --name 'Your opinion' --locale de

The bot has the words of the template, in English and German, and is live at once. Change it in
the console, or with: parley bot pull KEY
${apiHelp}`;

type CreateOptions = ApiOptions & { template: string; key?: string; name?: string; locale?: string };

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
  addApiOptions(command).action(async (_, command: Command) => {
    const { template, key = template, name, locale, ...options } = command.optsWithGlobals<CreateOptions>();
    const { workspace } = await openApi(options, shell);
    const body = {
      template,
      key,
      ...(name !== undefined && { name }),
      ...(locale !== undefined && { locale }),
    };
    const made = await called(workspace.bots.create(body));
    print(shell, options.json, made, `${key} version ${made.version}, bot ${made.id}`);
  });
  addTemplates(bot, shell);
}

function addTemplates(bot: Command, shell: Shell): void {
  const command = bot
    .command('templates')
    .description('list the templates of bots')
    .addOption(localeOption())
    .addHelpText('after', `\nExample:\n  parley bot templates --locale de\n${apiHelp}`);
  addApiOptions(command).action(async (_, command: Command) => {
    const { locale, ...options } = command.optsWithGlobals<ApiOptions & { locale?: 'en' | 'de' }>();
    const { workspace } = await openApi(options, shell);
    const { data } = await called(workspace.bots.listTemplates({ locale }));
    const rows = data.map(({ id, name, description }) => [id, name, description]);
    print(
      shell,
      options.json,
      data,
      table(['TEMPLATE', 'NAME', 'DESCRIPTION'], rows, 'There are no templates.'),
    );
  });
}

function localeOption(): Option {
  return new Option('--locale <language>', 'the language').choices(['en', 'de']);
}
