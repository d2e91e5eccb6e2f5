import { interactionData } from '@parley/bot/data';
import { interactionCompleted } from '@parley/contracts/events';
import { type NewOutboxRow, outboxRow } from '@parley/events/outbox';
import type { InteractionChange, InteractionRow } from './store.ts';

/** The columns of an interaction's history. */
export type History = Pick<InteractionRow, 'id' | 'customerId' | 'evaluation' | 'transcript'>;
type Completable = Pick<InteractionRow, 'id' | 'customerId' | 'workspaceId' | 'status'>;

/**
 * Returns the event of a change to Completed, to be saved with it; null for any other change. Its id is the
 * interaction's, because an interaction completes once.
 */
export function completionEvent(
  before: Completable,
  change: InteractionChange,
  now: Date,
): NewOutboxRow | null {
  if (before.status === 'Completed' || change.status !== 'Completed') return null;
  const { id: interactionId, workspaceId, customerId } = before;
  return outboxRow(interactionCompleted, {
    id: interactionId,
    workspaceId,
    message: { interactionId, workspaceId, customerId, completedAt: now },
  });
}

/** Returns the change that completes an interaction by request. Without a conversation, its history is empty. */
export function closeConversation(row: Pick<InteractionRow, 'evaluation' | 'transcript'>): InteractionChange {
  return { status: 'Completed', evaluation: row.evaluation ?? {}, transcript: row.transcript ?? [] };
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
