import type { WebhookOptionsChange } from '@parley/client';
import type { Command } from 'commander';
import { apiCommand, called } from '../../api.ts';
import { pairs } from '../../output.ts';
import { repeated } from '../../options/repeated.ts';
import type { Shell } from '../../shell.ts';

const example = `
Examples:
  parley webhook options 01939f6a-2f40-7c3a-9d55-0123456789ab
  parley webhook options 01939f6a-2f40-7c3a-9d55-0123456789ab \\
    --event InteractionCompleted --filter "interaction.priority == 'High'" --envelope

A change keeps what it does not name. It applies to events that are raised after the answer.`;

interface Given {
  event?: string[];
  filter?: string | false;
  envelope?: boolean;
  receiver?: string;
}

export function addWebhookOptions(webhook: Command, shell: Shell): void {
  const command = webhook
    .command('options')
    .description('show the options of a webhook, or change its events, filter, envelope or receiver')
    .argument('<id>', 'the webhook')
    .option('--event <name>', 'an event that it gets, instead of the earlier ones (repeatable)', repeated)
    .option('--filter <expression>', 'the CEL expression that events must pass')
    .option('--no-filter', 'let every event pass')
    .option('--envelope', 'send InteractionCompleted with the envelope of the other events')
    .option('--no-envelope', 'send InteractionCompleted as only its result')
    .option('--receiver <url>', 'the URL that gets the events, from the next attempt on')
    .addHelpText('after', example);
  apiCommand<Given>(command, shell, async ({ options, open, print }, id: string) => {
    const { workspace } = await open();
    const change = changeOf(options);
    const now = await called(
      Object.keys(change).length > 0
        ? workspace.webhooks.updateOptions(id, change)
        : workspace.webhooks.getOptions(id),
      `webhook ${id}`,
    );
    const { events, filter, envelope, ordering, rateLimit, headerNames } = now;
    const text = pairs({
      events: events.join(', '),
      filter: filter ?? '-',
      envelope: envelope ? 'yes' : 'no',
      ordering,
      rateLimit: rateLimit ? `${rateLimit.perSecond} per second, ${rateLimit.burst} at once` : '-',
      headers: headerNames.join(', ') || '-',
    });
    print(now, text);
  });
}

function changeOf({ event: events, filter, envelope, receiver }: Given): WebhookOptionsChange {
  return {
    // The API checks the names.
    ...(events && { events: events as 'InteractionCompleted'[] }),
    ...(filter !== undefined && { filter: filter === false ? null : filter }),
    ...(envelope !== undefined && { envelope }),
    ...(receiver !== undefined && { url: receiver }),
  };
}
