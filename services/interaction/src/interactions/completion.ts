import { interactionData } from '@parley/bot/data';
import type { InteractionChange, InteractionRow } from './store.ts';

export type History = Pick<InteractionRow, 'id' | 'customerId' | 'evaluation' | 'transcript'>;

/** Returns the change that completes an interaction by request. Without a conversation, its history is empty. */
export function closeConversation(
  row: Pick<InteractionRow, 'evaluation' | 'transcript'>,
  now: Date,
): InteractionChange {
  return {
    status: 'Completed',
    completedAt: now,
    evaluation: row.evaluation ?? {},
    transcript: row.transcript ?? [],
  };
}

/** Returns the JSON text of the history, which webhooks receive; null before the start, unless it is Completed. */
export function dataOf(row: History): string | null {
  if (!row.evaluation || !row.transcript) return null;
  return interactionData({
    customerId: row.customerId,
    interactionId: row.id,
    evaluation: row.evaluation,
    transcript: row.transcript,
  });
}
