import { webhookLimits } from '@parley/contracts/limits';
import type { Command } from 'commander';
import { apiCommand, called } from '../../api.ts';
import { readLimit } from '../../options/limit-option.ts';
import { pairs, table, utc } from '../../output.ts';
import type { Shell } from '../../shell.ts';

const someId = '01939f6a-2f40-7c3a-9d55-0123456789ab';

export function addWebhookDeliveries(webhook: Command, shell: Shell): void {
  const command = webhook
    .command('deliveries')
    .description('list the newest deliveries of a webhook')
    .argument('<id>', 'the webhook')
    .option('--limit <n>', 'how many (default: 20)', readLimit)
    .addHelpText('after', `\nExample:\n  parley webhook deliveries ${someId} --limit 5`);
  apiCommand<{ limit?: number }>(command, shell, async ({ options, open, print }, id: string) => {
    const { workspace } = await open();
    const { data } = await called(
      workspace.webhooks.deliveries.list(id, { limit: options.limit ?? 20 }),
      `webhook ${id}`,
    );
    const rows = data.map((one) => [
      one.id,
      utc(one.createdAt),
      one.event ?? 'Test',
      one.state,
      String(one.attempts),
      one.lastError ?? '-',
    ]);
    const heading = ['DELIVERY', 'CREATED', 'EVENT', 'STATE', 'ATTEMPTS', 'LAST ERROR'];
    print(data, table(heading, rows, 'There are no deliveries.'));
  });
}

const whatToDo: Record<string, string> = {
  filter: 'its filter is costly, so use fewer or shorter conditions on long texts',
  workspace: 'many webhooks or many events of the workspace',
};

function countedText(events: number): string {
  return events < webhookLimits.waitingEventsCountedMax ? String(events) : `at least ${events}`;
}

export function addWebhookStats(webhook: Command, shell: Shell): void {
  const command = webhook
    .command('stats')
    .description('show how deliveries of a webhook go; --json also has the last hours')
    .argument('<id>', 'the webhook')
    .addHelpText('after', `\nExample:\n  parley webhook stats ${someId}`);
  apiCommand(command, shell, async ({ open, print }, id: string) => {
    const { workspace } = await open();
    const stats = await called(workspace.webhooks.getStats(id), `webhook ${id}`);
    const { delayedSince, delayReason, waitingEvents } = stats;
    const text = pairs({
      pending: `${stats.pending}, the oldest due for ${stats.oldestDueSeconds} s`,
      pausedUntil: stats.pausedUntil ? `${utc(stats.pausedUntil)} (${stats.pauseReason})` : '-',
      delayed:
        delayedSince && delayReason
          ? `since ${utc(delayedSince)}, ${countedText(waitingEvents ?? 0)} events wait: ${whatToDo[delayReason] ?? delayReason}`
          : '-',
      lastSuccess: utc(stats.lastSuccessAt),
      failingSince: utc(stats.failingSince),
      filtered: String(stats.filtered),
      filterErrors: `${stats.filterErrors}${stats.lastFilterError ? `, last: ${stats.lastFilterError}` : ''}`,
      inactiveBecause: stats.inactiveReason ?? '-',
    });
    print(stats, text);
  });
}
