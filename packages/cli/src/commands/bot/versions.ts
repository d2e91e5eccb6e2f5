import type { Command } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, called, openApi } from '../../api.ts';
import { print, table, utc } from '../../output.ts';
import type { Shell } from '../../shell.ts';

export function addVersions(bot: Command, shell: Shell): void {
  const command = bot
    .command('versions')
    .description('list the versions of a bot, newest first')
    .argument('<key>', 'the key of the bot')
    .addHelpText('after', `\nExample:\n  parley bot versions feedback\n${apiHelp}`);
  addApiOptions(command).action(async (key: string, _, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions>();
    const { workspace, botId } = await openApi(options, shell);
    const { data } = await called(workspace.bots.listVersions(await botId(key)));
    const rows = data.map(({ version, isLive, publishedAt, publishedBy, note, restoredFrom }) => [
      `${version}${isLive ? ' (live)' : ''}`,
      utc(publishedAt),
      publishedBy,
      restoredFrom === null ? '' : String(restoredFrom),
      note ?? '',
    ]);
    const heading = ['VERSION', 'PUBLISHED', 'BY', 'RESTORES', 'NOTE'];
    print(shell, options.json, data, table(heading, rows, 'There are no versions.'));
  });
}
