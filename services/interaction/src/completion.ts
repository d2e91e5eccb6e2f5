import { interactionData } from '@parley/bot/data';
import { interactionCompleted } from '@parley/contracts/events';
import { type NewOutboxRow, outboxRow } from '@parley/events/outbox';
import type { InteractionChange, InteractionRow } from './interaction-store.ts';

/** What the history of an interaction is made of. */
export type Talk = Pick<InteractionRow, 'id' | 'customerId' | 'evaluation' | 'transcript'>;
type Completable = Pick<InteractionRow, 'id' | 'customerId' | 'workspaceId' | 'status'>;

/**
 * The event that a change raises, to be saved with it: one for each step into Completed, null for any other change.
 * Its id is the interaction's: an interaction completes once.
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

/** The client closes the talk: what has been said so far stands; one that never started has an empty history. */
export function closeTalk(row: Pick<InteractionRow, 'evaluation' | 'transcript'>): InteractionChange {
  return { status: 'Completed', evaluation: row.evaluation ?? {}, transcript: row.transcript ?? [] };
}

/** JSON text of the history, which is what webhooks get; null until the talk has started, or was closed without having been. */
export function dataOf(row: Talk): string | null {
  if (!row.evaluation || !row.transcript) return null;
  return interactionData({
    customerId: row.customerId,
    interactionId: row.id,
    evaluation: row.evaluation,
    transcript: row.transcript,
  });
}
