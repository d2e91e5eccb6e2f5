import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import type { RpcClient } from '@parley/rpc/definition';
import type { Schedule } from '@parley/runtime/work/schedule';
import {
  type ClaimedPage,
  claimPage,
  finishRound,
  recordPage,
  type RemovedOnPage,
} from './anonymisation-store.ts';
import { type ErasureKeys, receiptSigner } from './erasure-keys.ts';
import type { RoundEnds } from './round-ends.ts';

/** The database, the keys of receipts, and the other services that store a customer's details. */
interface Dependencies extends ErasureKeys {
  interactions: Pick<RpcClient<InteractionServiceService>, 'redactCustomer' | 'deleteCustomerInteractions'>;
  webhooks: Pick<RpcClient<WebhookServiceService>, 'redactEvents' | 'removeEvents'>;
  roundEnds: RoundEnds;
  relay: Pick<Schedule, 'wake'>;
}

/**
 * Processes one page of the unfinished anonymisation or deletion whose turn it is. Returns true when there may be more.
 * A page that fails is retried when its lease ends. Every step is idempotent, also under concurrency. The id of the
 * erasure is the request id of its calls.
 */
export async function removeNextPage(dependencies: Dependencies): Promise<boolean> {
  const page = await claimPage(dependencies.db);
  if (!page) return false;
  const { erasureId, workspaceId } = page;
  try {
    if (await removePage(dependencies, page)) {
      dependencies.roundEnds.ended(erasureId);
      dependencies.relay.wake();
    }
  } catch (error) {
    const line = { err: error, requestId: erasureId, workspaceId };
    dependencies.logger.warn(line, 'an erasure failed; it will be retried');
    dependencies.roundEnds.ended(erasureId, error);
  }
  return true;
}

/** Removes a page of data from before the fence of its version. Returns whether a round ended. */
async function removePage(dependencies: Dependencies, page: ClaimedPage): Promise<boolean> {
  const { db } = dependencies;
  const remove = page.kind === 'deletion' ? deleteData : redactData;
  const { nextPageToken, ...removed } = await remove(dependencies, page);
  if (nextPageToken === '') return finishRound(db, page, removed, await receiptSigner(dependencies));
  await recordPage(db, page, removed, nextPageToken);
  return false;
}

type Removed = RemovedOnPage & { nextPageToken: string };

/** Removes the details from interactions, then from their events. */
async function redactData({ interactions, webhooks }: Dependencies, page: ClaimedPage): Promise<Removed> {
  const { workspaceId, customerId, erasureId: requestId, details, firstVersion, pageToken } = page;
  const customer = { workspaceId, customerId, customerVersion: page.version };
  const request = { ...customer, firstVersion, details, pageToken };
  const redacted = await interactions.redactCustomer(request, { requestId });
  const { interactionIds, nextPageToken } = redacted;
  const { eventsRemoved: events } =
    interactionIds.length > 0
      ? await webhooks.redactEvents({ ...customer, firstVersion, interactionIds }, { requestId })
      : { eventsRemoved: 0 };
  return { interactions: redacted.interactionsRemoved, events, nextPageToken };
}

/** Deletes interactions, then the bodies of their events. A repeated page has the same interactions. */
async function deleteData({ interactions, webhooks }: Dependencies, page: ClaimedPage): Promise<Removed> {
  const { workspaceId, customerId, erasureId: requestId, version: customerVersion, pageToken } = page;
  const request = { workspaceId, customerId, customerVersion, pageToken };
  const { interactionIds, nextPageToken } = await interactions.deleteCustomerInteractions(request, {
    requestId,
  });
  const { eventsRemoved: events } =
    interactionIds.length > 0
      ? await webhooks.removeEvents({ workspaceId, customerId, interactionIds }, { requestId })
      : { eventsRemoved: 0 };
  return { interactions: interactionIds.length, events, nextPageToken };
}
