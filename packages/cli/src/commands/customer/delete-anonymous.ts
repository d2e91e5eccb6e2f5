import type { Command } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, called, openApi } from '../../api.ts';
import { counted } from '../../counted.ts';
import { usageFailure } from '../../failure.ts';
import { print } from '../../output.ts';
import type { Shell } from '../../shell.ts';

export function addDeleteAnonymous(customer: Command, shell: Shell): void {
  const command = customer
    .command('delete-anonymous')
    .description('delete the customers of open links with all interactions for ever')
    .option('--yes', 'really')
    .addHelpText('after', `\nExample:\n  parley customer delete-anonymous --yes\n${apiHelp}`);
  addApiOptions(command).action(async (_, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions & { yes?: true }>();
    if (!options.yes) throw usageFailure('deleted customers cannot come back: pass --yes to delete them');
    const { workspace } = await openApi(options, shell);
    let deleted = 0;
    for (let hasMore = true; hasMore; ) {
      const page = await called(workspace.customers.deleteAnonymous({ anonymous: true }));
      deleted += page.deleted;
      hasMore = page.hasMore;
    }
    print(shell, options.json, { deleted }, `${counted(deleted, 'anonymous customer')} deleted`);
  });
}
