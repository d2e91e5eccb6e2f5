import type { Command } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, called, openApi } from '../api.ts';
import { counted } from '../counted.ts';
import { usageFailure } from '../failure.ts';
import { jsonText, print } from '../output.ts';
import type { Shell } from '../shell.ts';
import { writeOutput } from '../files/text-file.ts';
import { addAnonymise } from './customer/anonymise.ts';
import { addContactability } from './customer/contact-policy.ts';
import { addDeleteAnonymous } from './customer/delete-anonymous.ts';
import { addFind } from './customer/find.ts';

const exportExample = `
Examples:
  parley customer export ada --output ada.json
  parley customer export ada > ada.json

Writes one JSON document. docs/data/recipes.md explains how to answer a data-subject request.
${apiHelp}`;

export function addCustomerCommands(program: Command, shell: Shell): void {
  const customer = program
    .command('customer')
    .description(
      'find customers, export what is stored about one, anonymise or delete it, and ask when it may be contacted',
    );
  addFind(customer, shell);
  addContactability(customer, shell);
  addAnonymise(customer, shell);
  addDelete(customer, shell);
  addDeleteAnonymous(customer, shell);
  const command = customer
    .command('export')
    .description('write everything that is stored about a customer to a file or standard output')
    .argument('<id>', 'the customer')
    .option('--output <file>', 'the file')
    .addHelpText('after', exportExample);
  addApiOptions(command).action(async (id: string, _, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions & { output?: string }>();
    const { workspace } = await openApi(options, shell);
    const document = await called(workspace.customers.export(id), `customer ${id}`);
    const text = jsonText({ timeZone: 'UTC', ...document }, 2);
    const { output } = options;
    if (output === undefined) return void shell.stdout.write(text);
    await writeOutput(output, text, shell);
    const { interactions, deliveries } = document;
    const counts = { interactions: interactions.length, deliveries: deliveries.length };
    const parts = [
      counted(counts.interactions, 'interaction'),
      counted(counts.deliveries, 'delivery', 'deliveries'),
    ];
    print(
      shell,
      options.json,
      { file: output, customerId: id, ...counts },
      `${output} has ${parts.join(' and ')} of ${id}`,
    );
  });
}

function addDelete(customer: Command, shell: Shell): void {
  const command = customer
    .command('delete')
    .description('delete a customer with all interactions for ever')
    .argument('<id>', 'the customer')
    .option('--yes', 'really')
    .addHelpText('after', `\nExample:\n  parley customer delete ada --yes\n${apiHelp}`);
  addApiOptions(command).action(async (id: string, _, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions & { yes?: true }>();
    if (!options.yes)
      throw usageFailure(
        'a deleted customer cannot come back, and only its id stays, for ever, in the receipt: pass --yes to delete it',
      );
    const { workspace } = await openApi(options, shell);
    await called(workspace.customers.delete(id), `customer ${id}`);
    print(shell, options.json, { id }, `customer ${id} is deleted`);
  });
}
