import type { ContactLimit, ContactPolicy } from '@parley/client';
import { contactLimits } from '@parley/contracts/limits';
import type { Command } from 'commander';
import { apiCommand, called } from '../../api.ts';
import { counted } from '../../counted.ts';
import { usageFailure } from '../../failure.ts';
import { pairs, utc } from '../../output.ts';
import type { Shell } from '../../shell.ts';

/** Not null for none: the parser of options replaces a null. */
type Limit = ContactLimit | 'none';

interface LimitOptions {
  anyBot?: Limit;
  sameBot?: Limit;
}

export function addContactPolicyCommands(program: Command, shell: Shell): void {
  const policy = program
    .command('contact-policy')
    .description('how often customers may be offered interactions');

  const get = policy
    .command('get')
    .description('show the limits of the workspace')
    .addHelpText('after', '\nExample:\n  parley contact-policy get');
  apiCommand(get, shell, async ({ open, print }) => {
    const { workspace } = await open();
    const current = await called(workspace.contactPolicy.get());
    print(current, describedPolicy(current));
  });

  const set = policy
    .command('set')
    .description('change the limits; they are in force at once')
    .option('--any-bot <count/days>', 'of all bots together, such as 1/30, or none', readLimit)
    .option('--same-bot <count/days>', 'of one bot, such as 1/90, or none', readLimit)
    .addHelpText('after', '\nExample:\n  parley contact-policy set --any-bot 1/30 --same-bot none');
  apiCommand<LimitOptions>(set, shell, async ({ options, open, print }) => {
    const change = changeOf(options);
    const { workspace } = await open();
    const changed = await called(workspace.contactPolicy.update(change));
    print(changed, describedPolicy(changed));
  });
}

function readLimit(text: string): Limit {
  if (text === 'none') return text;
  const [, count = '', days = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const limit = { count: Number(count), days: Number(days) };
  const { countMax, daysMax } = contactLimits;
  const fits = limit.count >= 1 && limit.count <= countMax && limit.days >= 1 && limit.days <= daysMax;
  if (fits) return limit;
  throw usageFailure(
    `${text} is neither none nor a count of 1 to ${countMax} and days of 1 to ${daysMax}, such as 1/30`,
  );
}

function changeOf({ anyBot, sameBot }: LimitOptions) {
  const limitOf = (limit: Limit): ContactLimit | null => (limit === 'none' ? null : limit);
  const change = {
    ...(anyBot !== undefined && { anyBot: limitOf(anyBot) }),
    ...(sameBot !== undefined && { sameBot: limitOf(sameBot) }),
  };
  if (Object.keys(change).length === 0) throw usageFailure('pass --any-bot or --same-bot');
  return change;
}

function describedPolicy({ anyBot, sameBot }: ContactPolicy): string {
  const shown = (limit: ContactLimit | null): string =>
    limit === null ? 'no limit' : `${counted(limit.count, 'interaction')} in ${counted(limit.days, 'day')}`;
  return pairs({ 'any bot': shown(anyBot), 'same bot': shown(sameBot) });
}

export function addContactability(customer: Command, shell: Shell): void {
  const command = customer
    .command('contactability')
    .description('show whether the contact policy allows an interaction of a customer now, or from when')
    .argument('<id>', 'the customer')
    .option('--bot <key>', 'the key of the bot that would offer it')
    .addHelpText('after', '\nExample:\n  parley customer contactability ada --bot nps');
  apiCommand<{ bot?: string }>(command, shell, async ({ options, open, print }, id: string) => {
    const { workspace } = await open();
    const found = await called(workspace.customers.getContactability(id, { botKey: options.bot }));
    const text = found.allowed ? 'is allowed now' : `is allowed from ${utc(found.retryAt)}`;
    print(found, `an interaction of ${id} ${text}`);
  });
}
