import { hash } from 'node:crypto';
import { canonicalText } from '@parley/bot/canonical';
import { type BotDefinition, contextNames, validateInSlices } from '@parley/bot/definition';
import type { Slices } from '@parley/bot/slices';
import { type Fault, invalidRequest } from '@parley/runtime/errors';
import type { Publication } from './store.ts';

/** INVALID_ARGUMENT with every fault. */
export function* readPublication(text: string): Slices<Publication> {
  return publicationOf(text, yield* readDefinition(text));
}

/** INVALID_ARGUMENT with every fault. */
export function* readDefinition(text: string): Slices<BotDefinition> {
  const result = yield* validateInSlices(parseDefinition(text));
  if ('faults' in result) throw invalidRequest(result.faults);
  return result.definition;
}

/**
 * Returns the publication of a text and its definition. A version that is restored needs no other check: conversations
 * also run on versions that were published under earlier rules.
 */
export function publicationOf(text: string, definition: BotDefinition): Publication {
  const { key, name, type } = definition;
  return {
    bot: { name, type, typeLabel: definition.typeLabel ?? type, context: contextNames(definition) },
    key,
    text,
    reminders: remindersOf(definition),
    digest: hash('sha256', canonicalText(definition), 'hex'),
  };
}

function remindersOf({ reminders = [] }: BotDefinition): number[] | null {
  return reminders.length === 0 ? null : reminders.map(({ afterSeconds }) => afterSeconds);
}

/** Returns the fault of a definition with another key than its bot. */
export function keyFaults(key: string, botKey: string): Fault[] {
  return key === botKey ? [] : [{ pointer: '/key', detail: `Must be the key of the bot: ${botKey}` }];
}

/** Throws `invalid_argument` for text that is not JSON. */
export function parseDefinition(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest([{ pointer: '', detail: 'The definition is not JSON' }]);
  }
}
