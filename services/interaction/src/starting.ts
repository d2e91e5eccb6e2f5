import { start } from '@parley/bot/engine';
import type { Customer } from '@parley/contracts/customer/v1/customer';
import type { PublishedBot } from './definitions.ts';
import type { InteractionChange, InteractionRow } from './interaction-store.ts';
import { epochSeconds } from './snapshot.ts';

/**
 * The change that starts a talk: pins the bot's version and lets the bot speak until it waits or ends. One that had
 * begun before (and expired in between) goes on where it was, on the version it was pinned to.
 * A bot that ends at once makes it Completed: save it with its event (`completionEvent`).
 */
export function startTalk(
  bot: PublishedBot,
  row: Pick<InteractionRow, 'context' | 'state'>,
  customer: Pick<Customer, 'id' | 'firstName' | 'lastName' | 'email'>,
  now: Date,
): InteractionChange {
  if (row.state) return { status: 'InProgress' };
  const turn = start(bot.definition, {
    customer: {
      id: customer.id,
      firstName: customer.firstName,
      lastName: customer.lastName,
      email: customer.email,
    },
    context: Object.fromEntries(row.context.map(({ key, value }) => [key, value])),
    now: epochSeconds(now),
  });
  return {
    status: turn.ended ? 'Completed' : 'InProgress',
    botVersion: bot.version,
    state: turn.state,
    transcript: turn.entries,
    evaluation: turn.evaluation,
    seq: turn.entries.length,
  };
}
