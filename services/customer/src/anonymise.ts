import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import type { RpcClient } from '@parley/rpc/definition';
import { notFound } from '@parley/runtime/errors';
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
 * Removes a customer's details from every store and answers when that is done. A record of what has to go is written
 * first and deleted last, with the row's own details, so a crash at any point leaves work that `resumeAnonymisations`
 * finishes. Every step may be run again.
 */
export async function anonymise(
  dependencies: Anonymisers,
  workspaceId: string,
  customerId: string,
  requestId: string,
): Promise<void> {
  const { db, interactions, webhooks } = dependencies;
  const details = await beginAnonymisation(db, workspaceId, customerId);
  if (!details) throw notFound();
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
  await finishAnonymisation(db, workspaceId, customerId);
}

/** Takes up the anonymisations that were left unfinished a minute or longer ago. */
export async function resumeAnonymisations(dependencies: Anonymisers): Promise<void> {
  for (const { workspaceId, customerId } of await listUnfinishedAnonymisations(dependencies.db)) {
    await anonymise(dependencies, workspaceId, customerId, `resume-${customerId}`);
  }
}
