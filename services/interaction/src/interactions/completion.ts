import { interactionData } from '@parley/bot/data';
import { interactionCompleted } from '@parley/contracts/events';
import { type NewEvent, newEvent } from '@parley/events/log';
import type { InteractionChange, InteractionRow } from './store.ts';

/** The columns of an interaction's history. */
export type History = Pick<InteractionRow, 'id' | 'customerId' | 'evaluation' | 'transcript'>;
type Completable = Pick<InteractionRow, 'id' | 'customerId' | 'workspaceId' | 'status'>;

/** Returns the events of a change, to be saved with it. */
export function eventsOf(before: Completable, change: InteractionChange, now: Date): NewEvent[] {
  if (before.status === 'Completed' || change.status !== 'Completed') return [];
  const { id: interactionId, workspaceId, customerId } = before;
  return [newEvent(interactionCompleted, { interactionId, workspaceId, customerId, completedAt: now })];
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
