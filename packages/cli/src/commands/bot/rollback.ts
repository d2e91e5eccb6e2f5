import type { Command } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, called, openApi } from '../../api.ts';
import { print } from '../../output.ts';
import type { Shell } from '../../shell.ts';
import { readVersionNumber } from '../../options/version-number.ts';

const example = `
Example:
  parley bot rollback feedback 3 --expect 4 --note 'Question 2 confused customers'

The old definition becomes a new version. Running conversations keep theirs.
${apiHelp}`;

export function addRollback(bot: Command, shell: Shell): void {
  const command = bot
    .command('rollback')
    .description('publish an earlier version of a bot again')
    .argument('<key>', 'the key of the bot')
    .argument('<version>', 'the version', readVersionNumber)
    .option('--expect <n>', 'fail if another version is live', readVersionNumber)
    .option('--note <text>', 'why')
    .addHelpText('after', example);
  addApiOptions(command).action(async (key: string, restore: number, _, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions & { expect?: number; note?: string }>();
    const { workspace, botId } = await openApi(options, shell);
    const { expect, note } = options;
    const published = await called(
      workspace.bots.publishVersion(await botId(key), {
        restore,
        ...(expect !== undefined && { expectedVersion: expect }),
        ...(note !== undefined && { note }),
      }),
    );
    const { version, id } = published;
    const text = `${key} version ${version} (restores ${restore}), bot ${id}`;
    print(shell, options.json, { ...published, restoredFrom: restore }, text);
  });
}
