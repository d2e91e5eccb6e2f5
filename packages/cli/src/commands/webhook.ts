import type { Webhook } from '@parley/client';
import type { Command } from 'commander';
import { apiCommand, called, needsYes } from '../api.ts';
import { usageFailure } from '../failure.ts';
import { pairs, table } from '../output.ts';
import { repeated } from '../options/repeated.ts';
import type { Shell } from '../shell.ts';
import { addWebhookOptions } from './webhook/options.ts';
import { addPortalLinkCommands } from './webhook/portal-link.ts';
import { addWebhookDeliveries, addWebhookStats } from './webhook/state.ts';

const someId = '01939f6a-2f40-7c3a-9d55-0123456789ab';

export function addWebhookCommands(program: Command, shell: Shell): void {
  const webhook = program.command('webhook').description('create, change and watch webhooks');
  addCreate(webhook, shell);
  addList(webhook, shell);
  addEvents(webhook, shell);
  addWebhookOptions(webhook, shell);
  addActivation(webhook, shell, 'activate', 'send events again, those that are due at once');
  addActivation(webhook, shell, 'deactivate', 'send nothing more; what is due is skipped');
  addTest(webhook, shell);
  addWebhookDeliveries(webhook, shell);
  addWebhookStats(webhook, shell);
  addPortalLinkCommands(webhook, shell);
  addDelete(webhook, shell);
}

interface CreateOptions {
  event?: string[];
  active?: true;
  filter?: string;
  envelope?: true;
}

function addCreate(webhook: Command, shell: Shell): void {
  const example = `
Example:
  parley webhook create https://shop.example/parley --event InteractionCompleted --active

Each delivery has the secret token in PARLEY_SECRET_TOKEN as a query parameter.`;
  const command = webhook
    .command('create')
    .description('create a webhook')
    .argument('<receiver>', 'the URL that gets the events')
    .option('--event <name>', 'an event (repeatable; default: InteractionCompleted)', repeated)
    .option('--active', 'send from now on')
    .option('--filter <cel>', 'a condition on events')
    .option('--envelope', 'completions have the envelope of the other events')
    .addHelpText('after', example);
  apiCommand<CreateOptions>(command, shell, async ({ options, open, print }, url: string) => {
    const secretToken = shell.env['PARLEY_SECRET_TOKEN'];
    if (!secretToken) throw usageFailure('set PARLEY_SECRET_TOKEN to the secret token of the deliveries');
    const { workspace } = await open();
    const { event: events, active: isActive = false, filter, envelope = false } = options;
    const fields = { url, secretToken, isActive, envelope, ...(filter !== undefined && { filter }) };
    // The API checks the names.
    const body = { ...fields, ...(events && { events: events as 'InteractionCompleted'[] }) };
    const created = await called(workspace.webhooks.create(body));
    print(created, described(created));
  });
}

function addList(webhook: Command, shell: Shell): void {
  const command = webhook
    .command('list')
    .description('list the webhooks of a workspace, oldest first')
    .addHelpText('after', '\nExample:\n  parley webhook list');
  apiCommand(command, shell, async ({ open, print }) => {
    const { workspace } = await open();
    const { data } = await called(workspace.webhooks.list());
    const rows = data.map(({ id, isActive, event, url }) => [id, activity(isActive), event, url]);
    const heading = ['WEBHOOK', 'STATE', 'EVENTS', 'RECEIVER'];
    print(data, table(heading, rows, 'There are no webhooks.'));
  });
}

function addEvents(webhook: Command, shell: Shell): void {
  const command = webhook
    .command('events')
    .description('list the events that webhooks can get; --json has their schemas and examples')
    .addHelpText('after', '\nExample:\n  parley webhook events');
  apiCommand(command, shell, async ({ open, print }) => {
    const { workspace } = await open();
    const { data } = await called(workspace.webhooks.listEventTypes());
    const rows = data.map(({ name, description }) => [name, description]);
    print(data, table(['EVENT', 'RAISED WHEN'], rows, 'There are no events.'));
  });
}

function addActivation(
  webhook: Command,
  shell: Shell,
  name: 'activate' | 'deactivate',
  description: string,
): void {
  const command = webhook
    .command(name)
    .description(description)
    .argument('<id>', 'the webhook')
    .addHelpText('after', `\nExample:\n  parley webhook ${name} ${someId}`);
  apiCommand(command, shell, async ({ open, print }, id: string) => {
    const { workspace } = await open();
    const changed = await called(
      workspace.webhooks.update(id, { isActive: name === 'activate' }),
      `webhook ${id}`,
    );
    print(changed, described(changed));
  });
}

function addTest(webhook: Command, shell: Shell): void {
  const example = `
Example:
  parley webhook test ${someId} --event InteractionExpired`;
  const command = webhook
    .command('test')
    .description('send an example of an event')
    .argument('<id>', 'the webhook')
    .option('--event <name>', 'the event (default: a completion with the name Test)')
    .option('--ignore-filter', 'send it although the filter of the webhook refuses it')
    .addHelpText('after', example);
  apiCommand<{ event?: string; ignoreFilter?: true }>(
    command,
    shell,
    async ({ options, open, print }, id: string) => {
      const { workspace } = await open();
      const { ignoreFilter = false } = options;
      // The API checks the name.
      const event = options.event as 'InteractionCompleted' | undefined;
      const body = { ignoreFilter, ...(event && { event }) };
      const delivery = await called(workspace.webhooks.sendTest(id, body), `webhook ${id}`);
      print(delivery, `delivery ${delivery.id}`);
    },
  );
}

function addDelete(webhook: Command, shell: Shell): void {
  const command = webhook
    .command('delete')
    .description('delete a webhook for ever; what is due is cancelled')
    .argument('<id>', 'the webhook')
    .addHelpText('after', `\nExample:\n  parley webhook delete ${someId} --yes`);
  const why = 'a deleted webhook cannot come back: pass --yes to delete it';
  apiCommand(needsYes(command, why), shell, async ({ open, print }, id: string) => {
    const { workspace } = await open();
    await called(workspace.webhooks.delete(id), `webhook ${id}`);
    print({ id }, `webhook ${id} is deleted`);
  });
}

function described({ id, url, isActive, event }: Webhook): string {
  return pairs({ id, receiver: url, state: activity(isActive), events: event });
}

function activity(isActive: boolean): string {
  return isActive ? 'active' : 'inactive';
}
