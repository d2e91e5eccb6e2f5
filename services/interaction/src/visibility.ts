import type { Session } from '@parley/contracts/interaction/v1/conversation';
import { notFound } from '@parley/runtime/errors';
import type { InteractionRow } from './interaction-store.ts';

/** What decides on whether a session may see an interaction. */
type Guarded = Pick<
  InteractionRow,
  'workspaceId' | 'id' | 'customerId' | 'status' | 'linkVersion' | 'sessionsFrom'
>;

/** A session with all that it must say. */
export interface ValidSession {
  workspaceId: string;
  subject: NonNullable<Session['subject']>;
  issuedAt: Date;
}

/** The session of a request. NOT_FOUND when it is none: it can see nothing. */
export function sessionOf({ session }: { session: Session | null }): ValidSession {
  if (!session?.subject || !session.issuedAt) throw notFound();
  return { workspaceId: session.workspaceId, subject: session.subject, issuedAt: session.issuedAt };
}

/**
 * The interaction, when the session may see it: one of its customer's, or the one of its link while the link is good.
 * NOT_FOUND, always the same, for a draft, one that never was, another's, and for a session from before `sessionsFrom`
 * (times count in whole milliseconds).
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

function reaches(subject: ValidSession['subject'], row: Guarded): boolean {
  if (subject.$case === 'customerId') return subject.value === row.customerId;
  return subject.value.interactionId === row.id && subject.value.linkVersion === row.linkVersion;
}
