import type { BotDefinition } from '@parley/bot/definition';
import { type StoredConversation, viewOf } from '@parley/bot/stored-conversation';
import type { Snapshot } from '@parley/contracts/interaction/v1/conversation';
import type { TalkRow } from './conversation-store.ts';

/** The talk as the browser may see it (`viewOf`), as a message. */
export function snapshotOf(
  talk: StoredConversation & Pick<TalkRow, 'expiresAt' | 'botName'>,
  definition: BotDefinition | null,
  after: number,
  now: Date,
): Snapshot {
  const { input, awaiting, ...view } = viewOf(talk, definition, after, epochSeconds(now));
  return {
    ...view,
    inputJson: input ? JSON.stringify(input) : undefined,
    awaiting: awaiting ?? undefined,
    expiresAt: talk.expiresAt,
    botName: talk.botName,
  };
}

/** An instant as the engine counts it: epoch seconds with fraction. */
export function epochSeconds(instant: Date): number {
  return instant.getTime() / 1_000;
}
