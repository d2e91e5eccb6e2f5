import type { GivenCustomer } from '@parley/bot/conversation';
import { beginConversation } from '@parley/bot/engine';
import type { PublishedBot } from '../bots/definitions.ts';
import type { InteractionChange, InteractionRow } from '../interactions/store.ts';
import { dueNow, epochSeconds, stallsAt, turnChange } from '../interactions/turn-change.ts';

interface StartOptions {
  hasModel: boolean;
  /** The customer's language tag. Default: the bot's own language. */
  locale?: string | undefined;
}

/**
 * Returns the change that starts a conversation: it pins the bot's version, and the bot speaks until it waits for the
 * customer or the model, or ends. A conversation that had started before it expired continues, with its version and
 * language. If the bot ends at once, the change is to Completed: save it with its events (`eventsOf`).
 */
export function startConversation(
  bot: PublishedBot,
  row: Pick<InteractionRow, 'id' | 'context' | 'state' | 'stallsAt'>,
  customer: GivenCustomer,
  now: Date,
  { hasModel, locale }: StartOptions,
): InteractionChange {
  // The time until now does not count as waiting for the model.
  if (row.state) {
    // One that has stalled does so again only after an answer.
    const stalls = { stallsAt: row.stallsAt && stallsAt(bot.definition, now) };
    return { status: 'InProgress', ...stalls, ...(row.state.awaiting && dueNow(now)) };
  }
  const turn = beginConversation(bot.definition, {
    customer,
    seed: row.id,
    context: Object.fromEntries(row.context.map(({ key, value }) => [key, value])),
    now: epochSeconds(now),
    hasModel,
    ...(locale !== undefined && { locale }),
  });
  const change = turnChange({ transcript: [] }, turn, bot.definition, now);
  return { status: 'InProgress', botVersion: bot.version, startedAt: now, ...change };
}
