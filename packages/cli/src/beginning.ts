import { type BotDefinition, contextNames } from '@parley/bot/definition';
import type { Beginning } from '@parley/bot/engine';
import type { Command } from 'commander';
import { usageFailure } from './failure.ts';
import { repeated } from './repeated.ts';

/** The options that say what a talk begins with. */
export interface BeginningOptions {
  context?: string[];
  customer?: string[];
  locale?: string;
}

/** What the options give; the rest is for a script to fill in, or to be empty. */
export interface Given {
  context: Record<string, string>;
  customer: Partial<Beginning['customer']>;
  locale?: string;
}

const customerFields: Record<string, keyof Beginning['customer']> = {
  id: 'id',
  first: 'firstName',
  firstName: 'firstName',
  last: 'lastName',
  lastName: 'lastName',
  email: 'email',
};

/** Adds `--context`, `--customer` and `--locale`. */
export function addBeginningOptions(command: Command): Command {
  return command
    .option('--context <name=value>', 'a context property of the interaction (repeatable)', repeated)
    .option('--customer <field=value>', "the customer's first, last, email or id (repeatable)", repeated)
    .option('--locale <tag>', "the talk's language, say de or pt-BR; the bot's own unless given");
}

/** Reads the options. Throws a usage `Failure` for what the bot or a customer does not have. */
export function readBeginning(options: BeginningOptions, definition: BotDefinition): Given {
  const names = contextNames(definition);
  const context = entries('--context', options.context);
  for (const name of Object.keys(context)) {
    if (names.includes(name)) continue;
    const known = names.length === 0 ? 'it declares none' : `it declares ${names.join(', ')}`;
    throw usageFailure(`--context: the bot has no context property ${name}; ${known}`);
  }
  const customer: Given['customer'] = {};
  for (const [name, value] of Object.entries(entries('--customer', options.customer))) {
    const field = Object.hasOwn(customerFields, name) ? customerFields[name] : undefined;
    if (!field) throw usageFailure(`--customer: a customer has no ${name}; there are first, last, email, id`);
    customer[field] = value;
  }
  const { locale } = options;
  if (locale !== undefined && !isLanguageTag(locale)) {
    throw usageFailure(`--locale: ${locale} is no language tag, such as de or pt-BR`);
  }
  return { context, customer, ...(locale !== undefined && { locale }) };
}

/** A customer of whom nothing is known but what is given. */
export function customerOf(given: Given['customer']): Beginning['customer'] {
  return { id: 'simulated', firstName: '', lastName: '', email: '', ...given };
}

function entries(option: string, pairs: string[] = []): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw usageFailure(`${option}: ${pair} is not written name=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function isLanguageTag(text: string): boolean {
  try {
    return Boolean(new Intl.Locale(text));
  } catch {
    return false;
  }
}
