import {
  interactionCompleted,
  interactionCreated,
  interactionExpired,
  interactionStarted,
} from '@parley/contracts/events';
import { type NewEvent, newEvent } from '@parley/events/log';
import { isOpen } from './lifecycle.ts';
import type { InteractionChange, InteractionRow } from './store.ts';

/** Why an interaction expires: its time is over, by a call, or with the anonymisation of its customer. */
export type ExpiryReason = 'clock' | 'client' | 'anonymised';

type Before = Pick<InteractionRow, 'id' | 'workspaceId' | 'customerId' | 'status' | 'startedAt'>;

/** Returns the events of a change, to be saved with it. */
export function eventsOf(
  before: Before,
  change: Pick<InteractionChange, 'status' | 'startedAt'>,
  { now, expiredBy = 'client' }: { now: Date; expiredBy?: ExpiryReason },
): NewEvent[] {
  const about = aboutOf(before);
  const becomes = (status: InteractionRow['status']): boolean =>
    change.status === status && before.status !== status;
  return [
    ...(before.startedAt === null && change.startedAt ? [newEvent(interactionStarted, about)] : []),
    ...(becomes('Completed') ? [newEvent(interactionCompleted, { ...about, completedAt: now })] : []),
    ...(becomes('Expired') ? [expiredEvent(before, expiredBy)] : []),
  ];
}

/** Returns the events of a creation. One that is Completed or Expired from the start is an import, without events. */
export function eventsOfCreation(
  { startedAt, ...draft }: Before,
  started: Pick<InteractionChange, 'status' | 'startedAt'> | undefined,
  now: Date,
): NewEvent[] {
  if (!started && !isOpen(draft.status)) return [];
  const status = started ? 'InProgress' : draft.status;
  const created = newEvent(interactionCreated, { ...aboutOf(draft), status });
  return started ? [created, ...eventsOf({ ...draft, startedAt }, started, { now })] : [created];
}

/** Returns the event of an interaction that becomes Expired. */
export function expiredEvent(
  interaction: Pick<Before, 'id' | 'workspaceId' | 'customerId'>,
  reason: ExpiryReason,
): NewEvent {
  return newEvent(interactionExpired, { ...aboutOf(interaction), reason });
}

function aboutOf({
  id: interactionId,
  workspaceId,
  customerId,
}: Pick<Before, 'id' | 'workspaceId' | 'customerId'>) {
  return { interactionId, workspaceId, customerId };
}
