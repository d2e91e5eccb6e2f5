import { start } from '@parley/bot/engine';
import type { Customer } from '@parley/contracts/customer/v1/customer';
import type { PublishedBot } from './definitions.ts';
import type { InteractionChange, InteractionRow } from './interaction-store.ts';
import { epochSeconds } from './snapshot.ts';
import { dueNow, turnChange } from './turn-change.ts';

/** How a talk is held. */
interface Manner {
  /** Whether there is a model to wait for. */
  hasModel: boolean;
  /** The customer's language, a tag; the bot's own unless given. */
  locale?: string | undefined;
}

/**
 * The change that starts a talk: pins the bot's version and lets the bot speak until it waits, for the model too where
 * there is one, or ends. One that had begun before (and expired in between) goes on where it was, on the version and in
 * the language that it has.
 * A bot that ends at once makes it Completed: save it with its event (`completionEvent`).
 */
export function startTalk(
  bot: PublishedBot,
  row: Pick<InteractionRow, 'context' | 'state'>,
  customer: Pick<Customer, 'id' | 'firstName' | 'lastName' | 'email'>,
  now: Date,
  { hasModel, locale }: Manner,
): InteractionChange {
  // It may have waited for the model meanwhile: that does not count as waiting for its turn.
  if (row.state) return { status: 'InProgress', ...(row.state.awaiting && dueNow(now)) };
  const turn = start(bot.definition, {
    customer: {
      id: customer.id,
      firstName: customer.firstName,
      lastName: customer.lastName,
      email: customer.email,
    },
    context: Object.fromEntries(row.context.map(({ key, value }) => [key, value])),
    now: epochSeconds(now),
    hasModel,
    ...(locale !== undefined && { locale }),
  });
  return { status: 'InProgress', botVersion: bot.version, ...turnChange({ transcript: [] }, turn, now) };
}
