import type { PortalLink } from '@parley/client';
import { portalLimits } from '@parley/contracts/limits';
import type { Command } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, called, openApi } from '../../api.ts';
import { usageFailure } from '../../failure.ts';
import { print, table, utc } from '../../output.ts';
import { repeated } from '../../options/repeated.ts';
import type { Shell } from '../../shell.ts';

const someId = '01939f6a-2f40-7c3a-9d55-0123456789ab';
const hoursMax = portalLimits.expiresInSecondsMax / 3_600;

interface CreateOptions extends ApiOptions {
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
    .option('--hours <n>', 'when the link and its session end', readHours, 1)
    .option('--personal-data', 'show bodies of deliveries, with conversations, and answers of receivers')
    .addHelpText(
      'after',
      `\nExample:\n  parley webhook portal-link create --webhook ${someId} --hours 8\n${apiHelp}`,
    );
  addApiOptions(command).action(async (_, command: Command) => {
    const options = command.optsWithGlobals<CreateOptions>();
    const { workspace } = await openApi(options, shell);
    const { webhook: webhookIds, name, hours, personalData = false } = options;
    const created = await called(
      workspace.webhooks.portalLinks.create({
        expiresInSeconds: hours * 3_600,
        personalData,
        ...(name !== undefined && { name }),
        ...(webhookIds && { webhookIds }),
      }),
    );
    print(shell, options.json, created, created.url);
  });
}

function addList(link: Command, shell: Shell): void {
  const command = link
    .command('list')
    .description('list the links, newest first, until a day after their end')
    .addHelpText('after', `\nExample:\n  parley webhook portal-link list\n${apiHelp}`);
  addApiOptions(command).action(async (_, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions>();
    const { workspace } = await openApi(options, shell);
    const links: PortalLink[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const page = await called(
        workspace.webhooks.portalLinks.list({ limit: 50, ...(cursor && { cursor }) }),
      );
      links.push(...page.data);
      cursor = page.meta.nextCursor ?? undefined;
    }
    const rows = links.map(({ id, name, webhookIds, expiresAt, usedAt, revokedAt }) => [
      id,
      name || '-',
      webhookIds?.join(', ') ?? 'all',
      ...[expiresAt, usedAt, revokedAt].map(utc),
    ]);
    const heading = ['LINK', 'NAME', 'WEBHOOKS', 'ENDS', 'OPENED', 'REVOKED'];
    print(shell, options.json, links, table(heading, rows, 'There are no portal links.'));
  });
}

function addRevoke(link: Command, shell: Shell): void {
  const command = link
    .command('revoke')
    .description('revoke a link and end its session; this is idempotent')
    .argument('<id>', 'the link')
    .addHelpText('after', `\nExample:\n  parley webhook portal-link revoke ${someId}\n${apiHelp}`);
  addApiOptions(command).action(async (id: string, _, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions>();
    const { workspace } = await openApi(options, shell);
    await called(workspace.webhooks.portalLinks.revoke(id), `portal link ${id}`);
    print(shell, options.json, { id }, `portal link ${id} is revoked`);
  });
}

function readHours(text: string): number {
  const hours = Number(text);
  if (/^\d+$/.test(text) && hours >= 1 && hours <= hoursMax) return hours;
  throw usageFailure(`--hours must be a whole number from 1 to ${hoursMax}`);
}
