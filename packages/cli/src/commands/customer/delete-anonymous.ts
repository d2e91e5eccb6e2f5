import type { Command } from 'commander';
import { apiCommand, called, needsYes } from '../../api.ts';
import { counted } from '../../counted.ts';
import type { Shell } from '../../shell.ts';

export function addDeleteAnonymous(customer: Command, shell: Shell): void {
  const command = customer
    .command('delete-anonymous')
    .description('delete the customers of open links with all interactions for ever')
    .addHelpText('after', '\nExample:\n  parley customer delete-anonymous --yes');
  const why = 'deleted customers cannot come back: pass --yes to delete them';
  apiCommand(needsYes(command, why), shell, async ({ open, print }) => {
    const { workspace } = await open();
    let deleted = 0;
    for (let hasMore = true; hasMore; ) {
      const page = await called(workspace.customers.deleteAnonymous({ anonymous: true }));
      deleted += page.deleted;
      hasMore = page.hasMore;
    }
    print({ deleted }, `${counted(deleted, 'anonymous customer')} deleted`);
  });
}
