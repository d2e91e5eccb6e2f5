import { randomUUID } from 'node:crypto';
import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import type { RpcClient } from '@parley/rpc/definition';
import { notFound } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import type { Kysely } from 'kysely';
import {
  beginAnonymisation,
  finishAnonymisation,
  listUnfinishedAnonymisations,
} from './anonymisation-store.ts';
import type { Tables } from './schema.ts';

/** Who holds copies of a customer's details besides this service. */
export interface Anonymisers {
  db: Kysely<Tables>;
  interactions: Pick<RpcClient<InteractionServiceService>, 'redactCustomer'>;
  webhooks: Pick<RpcClient<WebhookServiceService>, 'replaceEventBodies'>;
}

/**
 * Removes a customer's details from every store and answers when that is done. The row is emptied and a record of what
 * has to go is written first, and the record deleted last, so a crash at any point leaves work that
 * `resumeAnonymisations` finishes. Every step may be run again.
 */
export async function anonymise(
  dependencies: Anonymisers,
  workspaceId: string,
  customerId: string,
  requestId: string,
): Promise<void> {
  const details = await beginAnonymisation(dependencies.db, workspaceId, customerId);
  if (!details) throw notFound();
  await removeCopies(dependencies, { workspaceId, customerId, details }, requestId);
}

/**
 * Takes up the anonymisations that were left unfinished a minute or longer ago. Details that the record was given since
 * are another person's and stay.
 */
export async function resumeAnonymisations(dependencies: Anonymisers, logger: Logger): Promise<void> {
  for (const unfinished of await listUnfinishedAnonymisations(dependencies.db)) {
    const requestId = randomUUID();
    try {
      await removeCopies(dependencies, unfinished, requestId);
    } catch (error) {
      // One that fails must not hold the others.
      logger.warn({ err: error, requestId }, 'an anonymisation is not finished yet');
    }
  }
}

async function removeCopies(
  { db, interactions, webhooks }: Anonymisers,
  { workspaceId, customerId, details }: { workspaceId: string; customerId: string; details: string[] },
  requestId: string,
): Promise<void> {
  let pageToken = '';
  do {
    const page = await interactions.redactCustomer(
      { workspaceId, customerId, details, pageToken },
      { requestId },
    );
    const bodies = page.completions.map(({ interactionId, body }) => ({ eventId: interactionId, body }));
    if (bodies.length > 0)
      await webhooks.replaceEventBodies({ workspaceId, customerId, bodies }, { requestId });
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  await finishAnonymisation(db, workspaceId, customerId, details);
}
