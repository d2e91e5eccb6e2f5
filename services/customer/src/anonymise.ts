import { randomUUID } from 'node:crypto';
import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import type { RpcClient } from '@parley/rpc/definition';
import { notFound } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import type { Kysely } from 'kysely';
import {
  type Anonymisation,
  beginAnonymisation,
  finishAnonymisation,
  renewAnonymisation,
  takeUpAnonymisation,
} from './anonymisation-store.ts';
import type { Tables } from './schema.ts';

/** Who holds copies of a customer's details besides this service. */
export interface Anonymisers {
  db: Kysely<Tables>;
  interactions: Pick<RpcClient<InteractionServiceService>, 'redactCustomer'>;
  webhooks: Pick<RpcClient<WebhookServiceService>, 'replaceEventBodies'>;
}

/**
 * Removes a customer's details from every store and answers when a round that began after the call is done. The row is
 * emptied and a record of what has to go is written first, and the record deleted last, so a crash at any point leaves
 * work that `resumeAnonymisation` finishes. Every step may be run again, also by two at once.
 */
export async function anonymise(
  dependencies: Anonymisers,
  workspaceId: string,
  customerId: string,
  requestId: string,
): Promise<void> {
  const begun = await beginAnonymisation(dependencies.db, workspaceId, customerId);
  if (!begun) throw notFound();
  await removeWhatIsAskedFor(dependencies, begun, requestId);
}

/**
 * Takes up one anonymisation that was left unfinished; true when there may be more. Details that the record was given
 * since are another person's and stay.
 */
export async function resumeAnonymisation(dependencies: Anonymisers, logger: Logger): Promise<boolean> {
  const unfinished = await takeUpAnonymisation(dependencies.db);
  if (!unfinished) return false;
  const requestId = randomUUID();
  try {
    await removeWhatIsAskedFor(dependencies, unfinished, requestId);
  } catch (error) {
    // One that fails must not hold the others.
    logger.warn({ err: error, requestId }, 'an anonymisation is not finished yet');
  }
  return true;
}

/**
 * Goes round until the copies are gone that there were when `begun` was read. When it was asked again by then, the round of
 * its version may have begun before that, and passed over what has come since: only the next one will do. A round for
 * those who have asked later is theirs.
 */
async function removeWhatIsAskedFor(
  dependencies: Anonymisers,
  begun: Anonymisation,
  requestId: string,
): Promise<void> {
  const lastVersion = begun.version + Number(begun.askedAgain);
  let due: Anonymisation | undefined = begun;
  while (due) {
    await removeCopies(dependencies, due, requestId);
    const next = await finishAnonymisation(dependencies.db, due);
    // Without a note somebody else has done the round that this one wanted.
    due = due.version < lastVersion ? next : undefined;
  }
}

/** One round: everything that was made before the version had its fence. */
async function removeCopies(
  { db, interactions, webhooks }: Anonymisers,
  unfinished: Anonymisation,
  requestId: string,
): Promise<void> {
  const { workspaceId, customerId, details, version: customerVersion } = unfinished;
  const customer = { workspaceId, customerId, customerVersion };
  let pageToken = '';
  do {
    const page = await interactions.redactCustomer({ ...customer, details, pageToken }, { requestId });
    const bodies = page.completions.map(({ interactionId, body }) => ({ eventId: interactionId, body }));
    if (bodies.length > 0) await webhooks.replaceEventBodies({ ...customer, bodies }, { requestId });
    await renewAnonymisation(db, unfinished);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
}
