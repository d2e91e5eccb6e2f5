import type { BotDefinition } from '@parley/bot/definition';
import type { Session } from '@parley/contracts/interaction/v1/conversation';
import { notFound } from '@parley/runtime/errors';
import { isOpen } from '../interactions/lifecycle.ts';
import type { InteractionRow } from '../interactions/store.ts';

/** The columns that decide whether a session may see an interaction. */
type Guarded = Pick<
  InteractionRow,
  'workspaceId' | 'id' | 'customerId' | 'status' | 'linkVersion' | 'sessionsFrom'
>;

/** A session with all required fields. */
export interface ValidSession {
  workspaceId: string;
  subject: NonNullable<Session['subject']>;
  issuedAt: Date;
}

/** Returns the session of a request. NOT_FOUND when a field is missing. */
export function sessionOf({ session }: { session: Session | null }): ValidSession {
  if (!session?.subject || !session.issuedAt) throw notFound();
  return { workspaceId: session.workspaceId, subject: session.subject, issuedAt: session.issuedAt };
}

/**
 * Returns the interaction if the session may see it: one of its customer, or that of its link if not revoked. Throws
 * the same NOT_FOUND for a draft, a missing interaction, another customer's, and a session from before `sessionsFrom`
 * (in whole milliseconds).
 */
export function visible<Row extends Guarded>(session: ValidSession, row: Row | undefined): Row {
  if (
    !row ||
    row.workspaceId !== session.workspaceId ||
    row.status === 'Draft' ||
    !reaches(session.subject, row)
  ) {
    throw notFound();
  }
  if (row.sessionsFrom && session.issuedAt.getTime() < row.sessionsFrom.getTime()) throw notFound();
  return row;
}

/**
 * Returns whether the session may read the transcript. Who opens a link after the end may not be the customer, so the
 * bot has to allow it. A session from before the end, and the customer's own sessions, may.
 */
export function showsTranscript(
  { subject }: ValidSession,
  status: InteractionRow['status'],
  definition: BotDefinition | null,
): boolean {
  const isOpenedLate = subject.$case === 'interaction' && subject.value.hasEnded;
  return !isOpenedLate || isOpen(status) || definition?.showTranscript === true;
}

function reaches(subject: ValidSession['subject'], row: Guarded): boolean {
  if (subject.$case === 'customerId') return subject.value === row.customerId;
  return subject.value.interactionId === row.id && subject.value.linkVersion === row.linkVersion;
}
