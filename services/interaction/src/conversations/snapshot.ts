import type { BotDefinition } from '@parley/bot/definition';
import { type StoredConversation, viewOf } from '@parley/bot/stored-conversation';
import type { Snapshot } from '@parley/contracts/interaction/v1/conversation';
import { isHidden } from '../interactions/availability.ts';
import { epochSeconds } from '../interactions/turn-change.ts';
import type { ConversationRow } from './store.ts';

/** Returns the part of a conversation that the browser may see (`viewOf`), as a message. */
export function snapshotOf(
  conversation: StoredConversation &
    Pick<ConversationRow, 'expiresAt' | 'botName' | 'availableFrom' | 'isTest'>,
  definition: BotDefinition | null,
  after: number,
  now: Date,
  revisedStepId?: string,
): Snapshot {
  const { input, awaiting, ...view } = viewOf(
    conversation,
    definition,
    after,
    epochSeconds(now),
    revisedStepId,
  );
  return {
    ...view,
    inputJson: input ? JSON.stringify(input) : undefined,
    awaiting: awaiting ?? undefined,
    expiresAt: conversation.expiresAt,
    botName: conversation.botName,
    isTest: conversation.isTest || undefined,
    availableFrom: isHidden(conversation, now) ? conversation.availableFrom : undefined,
  };
}
