import { type BotDefinition, contextNames } from '@parley/bot/definition';
import type { Beginning } from '@parley/bot/engine';
import { detailNames, orList } from '@parley/contracts/customer-details';
import type { Command } from 'commander';
import { usageFailure } from '../failure.ts';
import { repeated } from '../options/repeated.ts';

export interface StartOptions {
  context?: string[];
  customer?: string[];
  locale?: string;
}

/** The values of the options. A script or the defaults give the rest. */
export interface StartValues {
  context: Record<string, string>;
  customer: Partial<Beginning['customer']>;
  locale?: string;
}

/** The fields of a customer by their names in the option: `first` is `firstName`. */
const customerFields = new Map<string, keyof Beginning['customer']>(
  [...detailNames, 'id' as const].map((name) => [name.replace(/Name$/, ''), name]),
);
const knownFields = orList(Array.from(customerFields.keys()));

export function addStartOptions(command: Command): Command {
  return command
    .option('--context <name=value>', 'a context property of the interaction (repeatable)', repeated)
    .option('--customer <field=value>', `the customer's ${knownFields} (repeatable)`, repeated)
    .option('--locale <tag>', "the language of the conversation, such as de or pt-BR; default: the bot's");
}

/** Throws a usage `Failure` for names that the bot or a customer does not have. */
export function readStartOptions(options: StartOptions, definition: BotDefinition): StartValues {
  const names = contextNames(definition);
  const context = Object.fromEntries(entries('--context', options.context));
  for (const name of Object.keys(context)) {
    if (names.includes(name)) continue;
    const known = names.length === 0 ? 'it declares none' : `it declares ${names.join(', ')}`;
    throw usageFailure(`--context: the bot has no context property ${name}; ${known}`);
  }
  const customer: StartValues['customer'] = {};
  for (const [name, value] of entries('--customer', options.customer)) {
    const field = customerFields.get(name);
    if (!field) throw usageFailure(`--customer: a customer has no ${name}; use ${knownFields}`);
    customer[field] = value;
  }
  const { locale } = options;
  if (locale !== undefined && !isLanguageTag(locale)) {
    throw usageFailure(`--locale: ${locale} is not a language tag, such as de or pt-BR`);
  }
  return { context, customer, ...(locale !== undefined && { locale }) };
}

/** Returns what a conversation starts with. Missing fields of the customer are empty. */
export function beginningOf({ customer, ...rest }: StartValues): Beginning {
  return { ...rest, customer: { id: 'simulated', ...customer } };
}

function entries(option: string, pairs: string[] = []): [string, string][] {
  return pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw usageFailure(`${option}: ${pair} is not name=value`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
}

function isLanguageTag(text: string): boolean {
  try {
    return Boolean(new Intl.Locale(text));
  } catch {
    return false;
  }
}
