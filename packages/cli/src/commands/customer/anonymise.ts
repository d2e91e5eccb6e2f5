import type { Command } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, called, openApi } from '../../api.ts';
import { usageFailure } from '../../failure.ts';
import { print } from '../../output.ts';
import type { Shell } from '../../shell.ts';

const help = `
Example:
  parley customer anonymise ada --yes

Names, e-mail address, context and answers are removed. Ids, times and scores stay.
${apiHelp}`;

export function addAnonymise(customer: Command, shell: Shell): void {
  const command = customer
    .command('anonymise')
    .description('remove the personal details of a customer for ever; the history stays')
    .argument('<id>', 'the customer')
    .option('--yes', 'really')
    .addHelpText('after', help);
  addApiOptions(command).action(async (id: string, _, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions & { yes?: true }>();
    if (!options.yes)
      throw usageFailure('the details of a customer cannot come back: pass --yes to remove them');
    const { workspace } = await openApi(options, shell);
    await called(workspace.customers.anonymise(id), `customer ${id}`);
    print(shell, options.json, { id }, `customer ${id} is anonymised`);
  });
}
