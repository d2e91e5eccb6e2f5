import type { Command } from 'commander';
import { apiCommand, called, needsYes } from '../api.ts';
import { counted } from '../counted.ts';
import { jsonText } from '../output.ts';
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

Writes one JSON document. docs/data/recipes.md explains how to answer a data-subject request.`;

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
  apiCommand<{ output?: string }>(command, shell, async ({ options, open, print }, id: string) => {
    const { workspace } = await open();
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
    print({ file: output, customerId: id, ...counts }, `${output} has ${parts.join(' and ')} of ${id}`);
  });
}

function addDelete(customer: Command, shell: Shell): void {
  const command = customer
    .command('delete')
    .description('delete a customer with all interactions for ever')
    .argument('<id>', 'the customer')
    .addHelpText('after', '\nExample:\n  parley customer delete ada --yes');
  const why =
    'a deleted customer cannot come back, and only its id stays, for ever, in the receipt: pass --yes to delete it';
  apiCommand(needsYes(command, why), shell, async ({ open, print }, id: string) => {
    const { workspace } = await open();
    await called(workspace.customers.delete(id), `customer ${id}`);
    print({ id }, `customer ${id} is deleted`);
  });
}
