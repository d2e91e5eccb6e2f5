import { detailNames, perDetail, searchedWords } from '@parley/contracts/customer-details';
import type { Command } from 'commander';
import { apiCommand, called } from '../../api.ts';
import { table, writeText } from '../../output.ts';
import type { Shell } from '../../shell.ts';

/** The largest page of the API. */
const shownMax = 50;

const help = `
Examples:
  parley customer find ada@example.com
  parley customer find love
  parley customer find 'ada love'

Finds customers whose ${searchedWords} begins with the text, ignoring
case, or whose first and last name begin with its words. Shows the first ${shownMax}.`;

export function addFind(customer: Command, shell: Shell): void {
  const command = customer
    .command('find')
    .description('find customers by the beginning of their id, name or e-mail address')
    .argument('<text>', 'at least two characters')
    .addHelpText('after', help);
  apiCommand(command, shell, async ({ open, print }, text: string) => {
    const { workspace } = await open();
    const { data, meta } = await called(workspace.customers.list({ q: text, pageSize: shownMax }));
    const customers = data.map(({ id, ...customer }) => ({ id, ...perDetail((name) => customer[name]) }));
    const rows = customers.map(({ id, ...details }) => [
      id,
      ...Object.values(details).map((text) => text || '-'),
    ]);
    const heading = ['CUSTOMER', ...detailNames.map((name) => name.replace(/(?=[A-Z])/g, ' ').toUpperCase())];
    print(customers, table(heading, rows, 'There are no such customers.'));
    const hidden = meta.totalResults - data.length;
    if (hidden > 0) writeText(shell.stderr, `${hidden} more: give a longer text`);
  });
}
