import type { Command } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, called, openApi } from '../../api.ts';
import { print, table } from '../../output.ts';
import type { Shell } from '../../shell.ts';

export function addList(bot: Command, shell: Shell): void {
  const command = bot
    .command('list')
    .description('list the bots of a workspace, oldest first')
    .addHelpText('after', `\nExample:\n  parley bot list --url https://api.example.com\n${apiHelp}`);
  addApiOptions(command).action(async (_, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions>();
    const { workspace } = await openApi(options, shell);
    const { data } = await called(workspace.bots.list());
    const rows = data.map(({ id, name, context }) => [id, name, context.join(' ')]);
    print(shell, options.json, data, table(['BOT', 'NAME', 'CONTEXT'], rows, 'There are no bots.'));
  });
}
