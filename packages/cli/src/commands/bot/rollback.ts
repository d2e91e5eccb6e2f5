import type { Command } from 'commander';
import { apiCommand, called } from '../../api.ts';
import type { Shell } from '../../shell.ts';
import { readVersionNumber } from '../../options/version-number.ts';

const example = `
Example:
  parley bot rollback feedback 3 --expect 4 --note 'Question 2 confused customers'

The old definition becomes a new version. Running conversations keep theirs.`;

export function addRollback(bot: Command, shell: Shell): void {
  const command = bot
    .command('rollback')
    .description('publish an earlier version of a bot again')
    .argument('<key>', 'the key of the bot')
    .argument('<version>', 'the version', readVersionNumber)
    .option('--expect <n>', 'fail if another version is live', readVersionNumber)
    .option('--note <text>', 'why')
    .addHelpText('after', example);
  type Options = { expect?: number; note?: string };
  apiCommand<Options>(command, shell, async ({ options, open, print }, key: string, restore: number) => {
    const { workspace, botId } = await open();
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
    print({ ...published, restoredFrom: restore }, text);
  });
}
