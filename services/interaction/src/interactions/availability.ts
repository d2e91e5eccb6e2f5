import type { InteractionTable, Status } from '../schema.ts';

/** From when a Pending interaction is available, and what was raised since. */
export interface Availability {
  /** When customers see it first, since it was offered or moved last. Reminders count from then. */
  availableAt: Date;
  /** Whether it has the event `InteractionAvailable`: only one that had an `availableFrom`. */
  isAnnouncing: boolean;
  /** Whether that event was raised. It is raised once, however often the interaction is moved or offered. */
  isAnnounced: boolean;
  /** After so many seconds, in rising order. Of the version of the bot that was live when it was offered. */
  reminders: readonly number[];
  /** The number of the first reminder that was neither raised nor skipped, from 1. */
  nextReminder: number;
}

type Offered = Pick<InteractionTable, 'status' | 'availableFrom'>;

/** A reminder that is later than this is skipped, so that an outage does not end in a burst. */
const reminderLateMsMax = 3_600_000;

/** Returns the last instant that an interaction can be available from: a year ahead. */
export function availableFromMax(now: Date): Date {
  const max = new Date(now);
  max.setUTCFullYear(max.getUTCFullYear() + 1);
  return max;
}

/** Returns whether it is offered, but customers do not see it yet. */
export function isHidden({ status, availableFrom }: Offered, now: Date): boolean {
  return status === 'Pending' && availableFrom !== null && availableFrom > now;
}

/** Returns whether an interaction of this status can have another `availableFrom`. */
export function takesAvailability(status: Status): boolean {
  return status === 'Draft' || status === 'Pending';
}

/** Returns when a reminder is due. */
export function reminderDueAt({ availableAt, reminders }: Availability, number: number): Date | null {
  const seconds = reminders[number - 1];
  return seconds === undefined ? null : new Date(availableAt.getTime() + seconds * 1_000);
}

/** Returns the reminders that are still to come. */
export function remindersOf(one: Availability): { number: number; dueAt: Date }[] {
  return one.reminders.flatMap((_, index) => {
    const number = index + 1;
    const dueAt = number < one.nextReminder ? null : reminderDueAt(one, number);
    return dueAt ? [{ number, dueAt }] : [];
  });
}

/** Returns when the next thing is due. Null: nothing more. */
export function nextDueAt(one: Availability): Date | null {
  return one.isAnnouncing && !one.isAnnounced ? one.availableAt : reminderDueAt(one, one.nextReminder);
}

/**
 * Returns the availability of an interaction after a change or its creation, if that changes it. `before` is undefined
 * for a new one, `known` if nothing was stored for it. `reminders` are of the live version of the bot.
 */
export function changedAvailability(
  before: Offered | undefined,
  after: Offered,
  now: Date,
  { known, reminders }: { known?: Availability | undefined; reminders: readonly number[] },
): Availability | undefined {
  if (after.status !== 'Pending') return undefined;
  const isOffered = before?.status !== 'Pending';
  if (!isOffered && before.availableFrom?.getTime() === after.availableFrom?.getTime()) return undefined;
  const wasHidden = before !== undefined && isHidden(before, now);
  const isSeen = !isOffered && !wasHidden;
  const availableAt = isHidden(after, now) && after.availableFrom ? after.availableFrom : now;
  const changed = {
    // One that customers see already stays available since then.
    availableAt: isSeen && availableAt === now ? (known?.availableAt ?? now) : availableAt,
    isAnnouncing: after.availableFrom !== null || wasHidden || known?.isAnnouncing === true,
    isAnnounced: known?.isAnnounced ?? false,
    reminders: isOffered ? reminders : (known?.reminders ?? []),
    nextReminder: known?.nextReminder ?? 1,
  };
  return known || changed.isAnnouncing || changed.reminders.length > 0 ? changed : undefined;
}

/** What a due interaction is when it is claimed. */
export interface Claimed extends Pick<InteractionTable, 'status' | 'expiresAt' | 'startedAt'> {}

export interface Raised {
  after: Availability & { dueAt: Date | null };
  isAvailable: boolean;
  /** The numbers of reminders. */
  reminders: number[];
  /** How many were too late. */
  skipped: number;
}

/**
 * Returns what a due interaction raises now, in order: that it is available, and the reminders that are due. Nothing
 * more is due once it was started, withdrawn or has ended. One that the customer has started since it is available has
 * become so.
 */
export function raise(one: Availability, { status, expiresAt, startedAt }: Claimed, now: Date): Raised {
  const isWaiting = status === 'Pending' && (expiresAt === null || expiresAt > now);
  const isStarted = startedAt !== null && startedAt >= one.availableAt;
  const mayAnnounce = one.isAnnouncing && !one.isAnnounced && one.availableAt <= now;
  const isAvailable = mayAnnounce && (isWaiting || isStarted);
  const after = { ...one, isAnnounced: one.isAnnounced || isAvailable };
  const raised: Raised = { after: { ...after, dueAt: null }, isAvailable, reminders: [], skipped: 0 };
  if (!isWaiting) return raised;
  for (;;) {
    const dueAt = nextDueAt(after);
    if (dueAt === null || dueAt > now) return { ...raised, after: { ...after, dueAt } };
    if (now.getTime() - dueAt.getTime() > reminderLateMsMax) raised.skipped += 1;
    else raised.reminders.push(after.nextReminder);
    after.nextReminder += 1;
  }
}
