import {
  interactionCompleted,
  interactionCreated,
  interactionExpired,
  interactionRedacted,
  interactionResumed,
  interactionStarted,
} from '@parley/contracts/events';
import { type NewEvent, newEvent } from '@parley/events/log';
import type { Selectable } from 'kysely';
import type { InteractionTable } from '../schema.ts';
import { isOpen } from './lifecycle.ts';

/** Why an interaction expires: its time is over, by a call, or with the anonymisation of its customer. */
export type ExpiryReason = 'clock' | 'client' | 'anonymised';

type Before = Pick<
  Selectable<InteractionTable>,
  'id' | 'workspaceId' | 'customerId' | 'botId' | 'status' | 'startedAt' | 'stallsAt' | 'isTest'
>;
type Marked = Pick<Before, 'id' | 'workspaceId' | 'customerId' | 'isTest'>;
type Change = Partial<Pick<Before, 'status' | 'startedAt' | 'stallsAt'>>;

/** Save them with the change. */
export function eventsOf(
  before: Before,
  change: Change,
  { now, expiredBy = 'client' }: { now: Date; expiredBy?: ExpiryReason },
): NewEvent[] {
  const about = aboutOf(before);
  const becomes = (status: Before['status']): boolean => change.status === status && before.status !== status;
  return [
    ...(before.startedAt === null && change.startedAt ? [newEvent(interactionStarted, about)] : []),
    ...(resumes(before, change) ? [newEvent(interactionResumed, about)] : []),
    ...(becomes('Completed')
      ? [newEvent(interactionCompleted, { ...about, completedAt: now, botId: before.botId })]
      : []),
    ...(becomes('Expired') ? [expiredEvent(before, expiredBy)] : []),
  ];
}

/** Returns whether a stalled conversation is answered, or an expired one can go on. */
function resumes(before: Before, change: Change): boolean {
  if (before.status === 'Expired') return change.status === 'Pending';
  const hasStalled = before.status === 'InProgress' && before.startedAt !== null && before.stallsAt === null;
  return hasStalled && change.stallsAt instanceof Date;
}

/** An interaction that is created Completed or Expired is an import, without events. */
export function eventsOfCreation(
  { startedAt, ...draft }: Before,
  started: Change | undefined,
  now: Date,
): NewEvent[] {
  if (!started && !isOpen(draft.status)) return [];
  const status = started ? 'InProgress' : draft.status;
  const created = newEvent(interactionCreated, { ...aboutOf(draft), status });
  return started ? [created, ...eventsOf({ ...draft, startedAt }, started, { now })] : [created];
}

export function redactedEvent({
  id: interactionId,
  workspaceId,
  customerId,
}: Pick<Before, 'id' | 'workspaceId' | 'customerId'>): NewEvent {
  return newEvent(interactionRedacted, { interactionId, workspaceId, customerId });
}

export function expiredEvent(interaction: Marked, reason: ExpiryReason): NewEvent {
  return newEvent(interactionExpired, { ...aboutOf(interaction), reason });
}

function aboutOf({ id: interactionId, workspaceId, customerId, isTest }: Marked) {
  return { interactionId, workspaceId, customerId, isTest: isTest || undefined };
}
