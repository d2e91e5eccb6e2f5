import { portalLimits } from '@parley/contracts/limits';
import type { Command } from 'commander';
import { allOf, apiCommand, called } from '../../api.ts';
import { table, utc } from '../../output.ts';
import { repeated } from '../../options/repeated.ts';
import { wholeNumber } from '../../options/whole-number.ts';
import type { Shell } from '../../shell.ts';

const someId = '01939f6a-2f40-7c3a-9d55-0123456789ab';
const hoursMax = portalLimits.expiresInSecondsMax / 3_600;

interface CreateOptions {
  webhook?: string[];
  name?: string;
  hours: number;
  personalData?: true;
}

export function addPortalLinkCommands(webhook: Command, shell: Shell): void {
  const link = webhook
    .command('portal-link')
    .description('links that open the webhook screens without an account');
  addCreate(link, shell);
  addList(link, shell);
  addRevoke(link, shell);
}

function addCreate(link: Command, shell: Shell): void {
  const command = link
    .command('create')
    .description('create a link that works once, and print its URL for the only time')
    .option('--webhook <id>', 'a webhook that it shows (repeatable); default: all', repeated)
    .option('--name <name>', 'for whom it is')
    .option('--hours <n>', 'when the link and its session end', wholeNumber('--hours', hoursMax), 1)
    .option('--personal-data', 'show bodies of deliveries, with conversations, and answers of receivers')
    .addHelpText('after', `\nExample:\n  parley webhook portal-link create --webhook ${someId} --hours 8`);
  apiCommand<CreateOptions>(command, shell, async ({ options, open, print }) => {
    const { workspace } = await open();
    const { webhook: webhookIds, name, hours, personalData = false } = options;
    const created = await called(
      workspace.webhooks.portalLinks.create({
        expiresInSeconds: hours * 3_600,
        personalData,
        ...(name !== undefined && { name }),
        ...(webhookIds && { webhookIds }),
      }),
    );
    print(created, created.url);
  });
}

function addList(link: Command, shell: Shell): void {
  const command = link
    .command('list')
    .description('list the links, newest first, until a day after their end')
    .addHelpText('after', '\nExample:\n  parley webhook portal-link list');
  apiCommand(command, shell, async ({ open, print }) => {
    const { workspace } = await open();
    const links = await called(allOf(workspace.webhooks.portalLinks.list({ limit: 50 })));
    const rows = links.map(({ id, name, webhookIds, expiresAt, usedAt, revokedAt }) => [
      id,
      name || '-',
      webhookIds?.join(', ') ?? 'all',
      ...[expiresAt, usedAt, revokedAt].map(utc),
    ]);
    const heading = ['LINK', 'NAME', 'WEBHOOKS', 'ENDS', 'OPENED', 'REVOKED'];
    print(links, table(heading, rows, 'There are no portal links.'));
  });
}

function addRevoke(link: Command, shell: Shell): void {
  const command = link
    .command('revoke')
    .description('revoke a link and end its session; this is idempotent')
    .argument('<id>', 'the link')
    .addHelpText('after', `\nExample:\n  parley webhook portal-link revoke ${someId}`);
  apiCommand(command, shell, async ({ open, print }, id: string) => {
    const { workspace } = await open();
    await called(workspace.webhooks.portalLinks.revoke(id), `portal link ${id}`);
    print({ id }, `portal link ${id} is revoked`);
  });
}
