import type { BotDefinition } from '@parley/bot/definition';
import type { Session } from '@parley/contracts/interaction/v1/conversation';
import { notFound } from '@parley/runtime/errors';
import type { Selectable } from 'kysely';
import { isHidden } from '../interactions/availability.ts';
import { isOpen } from '../interactions/lifecycle.ts';
import type { InteractionRow } from '../interactions/store.ts';
import type { InteractionTable } from '../schema.ts';

type Guarded = Pick<
  InteractionRow,
  'workspaceId' | 'id' | 'customerId' | 'status' | 'linkVersion' | 'redactedVersion' | 'availableFrom'
> &
  Pick<Selectable<InteractionTable>, 'fenceVersion'>;

/** A session with all required fields. */
export interface ValidSession {
  workspaceId: string;
  subject: NonNullable<Session['subject']>;
  /** The version of the customer's fence when the session began; 0 for a link. */
  fenceVersion: number;
}

/** NOT_FOUND when the subject is missing. */
export function sessionOf({ session }: { session: Session | null }): ValidSession {
  if (!session?.subject) throw notFound();
  const { workspaceId, subject, fenceVersion } = session;
  return { workspaceId, subject, fenceVersion };
}

/**
 * Returns the interaction if the session may see it: one of its customer that is available, or the one of its link,
 * unless the link was revoked. Throws the same NOT_FOUND for a draft, a missing interaction, another customer's, and a
 * session from before the customer's anonymisation.
 */
export function visible<Row extends Guarded>(session: ValidSession, row: Row | undefined): Row {
  if (!row || row.workspaceId !== session.workspaceId || row.status === 'Draft' || !reaches(session, row)) {
    throw notFound();
  }
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

function reaches({ subject, fenceVersion }: ValidSession, row: Guarded): boolean {
  if (subject.$case === 'customerId') {
    const endedBy = Math.max(row.fenceVersion, row.redactedVersion);
    return subject.value === row.customerId && endedBy <= fenceVersion && !isHidden(row, new Date());
  }
  // An anonymisation raises the version of the link.
  return subject.value.interactionId === row.id && subject.value.linkVersion === row.linkVersion;
}
