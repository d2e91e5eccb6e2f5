import { randomUUID } from 'node:crypto';
import type { AnonymiseCustomerRequest } from '@parley/contracts/customer/v1/customer';
import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import type { RpcClient } from '@parley/rpc/definition';
import { existing } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import type { Kysely } from 'kysely';
import {
  type Anonymisation,
  beginAnonymisation,
  finishAnonymisation,
  renewAnonymisation,
  claimAnonymisation,
} from './anonymisation-store.ts';
import type { Tables } from './schema.ts';

/** The database, and the other services that store a customer's details. */
export interface Anonymisers {
  db: Kysely<Tables>;
  interactions: Pick<RpcClient<InteractionServiceService>, 'redactCustomer'>;
  webhooks: Pick<RpcClient<WebhookServiceService>, 'replaceEventBodies'>;
}

/**
 * Removes a customer's details from every store. Resolves when a round that began after the call is done. NOT_FOUND
 * when there is no such customer, ABORTED when its version is not `ifVersion`. A record of the details exists from the
 * first step to the last, so `resumeAnonymisation` continues after a crash. Every step is idempotent, also under
 * concurrency.
 */
export async function anonymise(
  dependencies: Anonymisers,
  { workspaceId, id, ifVersion = null }: AnonymiseCustomerRequest,
  requestId: string,
): Promise<void> {
  const begun = existing(await beginAnonymisation(dependencies.db, workspaceId, id, ifVersion));
  await runRounds(dependencies, begun, requestId);
}

/**
 * Resumes one unfinished anonymisation. Returns true when there may be more. Details that the customer was given later
 * are another person's and stay.
 */
export async function resumeAnonymisation(dependencies: Anonymisers, logger: Logger): Promise<boolean> {
  const unfinished = await claimAnonymisation(dependencies.db);
  if (!unfinished) return false;
  const requestId = randomUUID();
  try {
    await runRounds(dependencies, unfinished, requestId);
  } catch (error) {
    // A failure must not block the others.
    const { workspaceId } = unfinished;
    logger.warn({ err: error, requestId, workspaceId }, 'anonymisation failed; it will be retried');
  }
  return true;
}

/**
 * Runs rounds until every copy from before `begun` was read is removed. With `askedAgain`, the current round may have
 * begun earlier and missed copies, so another one is needed. Later callers run their own rounds.
 */
async function runRounds(dependencies: Anonymisers, begun: Anonymisation, requestId: string): Promise<void> {
  const lastVersion = begun.version + Number(begun.askedAgain);
  let due: Anonymisation | undefined = begun;
  while (due) {
    await removeCopies(dependencies, due, requestId);
    const next = await finishAnonymisation(dependencies.db, due);
    // Without a record, another caller has done the last round.
    due = due.version < lastVersion ? next : undefined;
  }
}

/** Runs one round: removes the details from all data that is older than the fence of this version. */
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
