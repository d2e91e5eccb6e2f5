import { interactionData } from '@parley/bot/data';
import { interactionCompleted } from '@parley/contracts/events';
import { type NewOutboxRow, outboxRow } from '@parley/events/outbox';
import type { InteractionChange, InteractionRow } from './interaction-store.ts';

type Talk = Pick<InteractionRow, 'id' | 'customerId' | 'evaluation' | 'transcript'>;
type Completable = Talk & Pick<InteractionRow, 'workspaceId' | 'status'>;

/**
 * The event that a change raises, to be saved with it: one for each step into Completed, null for any other change.
 * The change that the client's early close makes comes from `closeTalk`.
 */
export function completionEvent(
  before: Completable,
  change: InteractionChange,
  now: Date,
): NewOutboxRow | null {
  if (before.status === 'Completed' || change.status !== 'Completed') return null;
  return eventOf({ ...before, ...change }, now);
}

// Its id is the interaction's: an interaction completes once.
function eventOf(row: Talk & Pick<InteractionRow, 'workspaceId'>, completedAt: Date): NewOutboxRow {
  return outboxRow(interactionCompleted, {
    id: row.id,
    workspaceId: row.workspaceId,
    subject: row.customerId,
    message: {
      interactionId: row.id,
      workspaceId: row.workspaceId,
      customerId: row.customerId,
      body: Buffer.from(dataOf(row) ?? ''),
      completedAt,
    },
  });
}

/** The client closes the talk: what has been said so far stands; one that never started has an empty history. */
export function closeTalk(row: Pick<InteractionRow, 'evaluation' | 'transcript'>): InteractionChange {
  return { status: 'Completed', evaluation: row.evaluation ?? {}, transcript: row.transcript ?? [] };
}

/** JSON text of the history; null until the talk has started, or was closed without having been. */
export function dataOf(row: Talk): string | null {
  if (!row.evaluation || !row.transcript) return null;
  return interactionData({
    customerId: row.customerId,
    interactionId: row.id,
    evaluation: row.evaluation,
    transcript: row.transcript,
  });
}
