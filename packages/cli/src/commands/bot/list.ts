import type { Command } from 'commander';
import { apiCommand, called } from '../../api.ts';
import { table } from '../../output.ts';
import type { Shell } from '../../shell.ts';

export function addList(bot: Command, shell: Shell): void {
  const command = bot
    .command('list')
    .description('list the bots of a workspace, oldest first')
    .addHelpText('after', '\nExample:\n  parley bot list --url https://api.example.com');
  apiCommand(command, shell, async ({ open, print }) => {
    const { workspace } = await open();
    const { data } = await called(workspace.bots.list());
    const rows = data.map(({ id, name, context }) => [id, name, context.join(' ')]);
    print(data, table(['BOT', 'NAME', 'CONTEXT'], rows, 'There are no bots.'));
  });
}
