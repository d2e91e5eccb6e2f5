import type { Command } from 'commander';
import { apiCommand, called } from '../../api.ts';
import { table, utc } from '../../output.ts';
import type { Shell } from '../../shell.ts';

export function addVersions(bot: Command, shell: Shell): void {
  const command = bot
    .command('versions')
    .description('list the versions of a bot, newest first')
    .argument('<key>', 'the key of the bot')
    .addHelpText('after', '\nExample:\n  parley bot versions feedback');
  apiCommand(command, shell, async ({ open, print }, key: string) => {
    const { workspace, botId } = await open();
    const { data } = await called(workspace.bots.listVersions(await botId(key)));
    const rows = data.map(({ version, isLive, publishedAt, publishedBy, note, restoredFrom }) => [
      `${version}${isLive ? ' (live)' : ''}`,
      utc(publishedAt),
      publishedBy,
      restoredFrom === null ? '' : String(restoredFrom),
      note ?? '',
    ]);
    const heading = ['VERSION', 'PUBLISHED', 'BY', 'RESTORES', 'NOTE'];
    print(data, table(heading, rows, 'There are no versions.'));
  });
}
