import { CustomerAdminServiceService } from '@parley/contracts/customer/v1/customer';
import type { Command } from 'commander';
import { allOf, apiCommand, called } from '../api.ts';
import { pairs, print, table, utc } from '../output.ts';
import type { Shell } from '../shell.ts';
import { ask, findTarget, newCall, type TargetOptions } from '../target.ts';
import { addRepeat } from './erasure/repeat.ts';
import { addVerify } from './erasure/verify.ts';

export function addErasureCommands(program: Command, shell: Shell): void {
  const erasure = program
    .command('erasure')
    .description('show and repeat erasures, verify their receipts, and rotate the key of receipts');
  addList(erasure, shell);
  addGet(erasure, shell);
  addVerify(erasure, shell);
  addRepeat(erasure, shell);
  addRotateKey(erasure, shell);
}

function addList(erasure: Command, shell: Shell): void {
  const command = erasure
    .command('list')
    .description('list the erasures of a workspace, newest first')
    .option('--customer-id <id>', 'only those of this customer')
    .addHelpText('after', '\nExample:\n  parley erasure list --url https://api.example.com');
  apiCommand<{ customerId?: string }>(command, shell, async ({ options, open, print }) => {
    const { workspace } = await open();
    const { customerId } = options;
    const erasures = await called(allOf(workspace.erasures.list({ limit: 50, customerId })));
    const rows = erasures.map(({ id, customerId, kind, requestedAt, completedAt }) => [
      id,
      customerId,
      kind,
      utc(requestedAt),
      utc(completedAt),
    ]);
    const heading = ['ERASURE', 'CUSTOMER', 'KIND', 'REQUESTED', 'COMPLETED'];
    print(erasures, table(heading, rows, 'There are no erasures.'));
  });
}

const getExample = `
Example:
  parley erasure get 01939f6a-2f40-7c3a-9d55-0123456789ab --json > receipt.json`;

function addGet(erasure: Command, shell: Shell): void {
  const command = erasure
    .command('get')
    .description('show an erasure; with --json, the output is what "erasure verify" reads')
    .argument('<id>', 'the erasure')
    .addHelpText('after', getExample);
  apiCommand(command, shell, async ({ open, print }, id: string) => {
    const { workspace } = await open();
    const found = await called(workspace.erasures.get(id), `erasure ${id}`);
    const { stores, requestedAt, completedAt, receipt, ...fields } = found;
    const removed = stores.map(({ store, removed: number }) => `${store} ${number}`).join(', ');
    const times = { requestedAt: utc(requestedAt), completedAt: utc(completedAt) };
    const shown = { ...fields, ...times, removed, receipt: receipt ?? '-' };
    print(found, pairs(shown));
  });
}

const rotateExample = `
Example:
  parley erasure rotate-key

For the operator. The new key signs receipts from now on. Earlier receipts stay valid.`;

function addRotateKey(erasure: Command, shell: Shell): void {
  erasure
    .command('rotate-key')
    .description('create the key that signs receipts, and delete the private parts of the earlier ones')
    .option('--customer <address>', 'the customer service of a deployment, host:port')
    .addHelpText('after', rotateExample)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<TargetOptions>();
      const { kid, x } = await ask(await findTarget(options, shell), 'customer', 'key', (peer) =>
        peer.client(CustomerAdminServiceService).rotateErasureKey({}, newCall()),
      );
      print(shell, options.json, { kid, x }, `The key ${kid} signs receipts now`);
    });
}
