import type { Command } from 'commander';
import { apiCommand, called, needsYes } from '../../api.ts';
import type { Shell } from '../../shell.ts';

const help = `
Example:
  parley customer anonymise ada --yes

Names, e-mail address, context and answers are removed. Ids, times and scores stay.`;

export function addAnonymise(customer: Command, shell: Shell): void {
  const command = customer
    .command('anonymise')
    .description('remove the personal details of a customer for ever; the history stays')
    .argument('<id>', 'the customer')
    .addHelpText('after', help);
  const why = 'the details of a customer cannot come back: pass --yes to remove them';
  apiCommand(needsYes(command, why), shell, async ({ open, print }, id: string) => {
    const { workspace } = await open();
    await called(workspace.customers.anonymise(id), `customer ${id}`);
    print({ id }, `customer ${id} is anonymised`);
  });
}
