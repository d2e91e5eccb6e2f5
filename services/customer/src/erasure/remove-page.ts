import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import type { RpcClient } from '@parley/rpc/definition';
import type { Schedule } from '@parley/runtime/scheduling/schedule';
import { type ClaimedPage, claimPage, finishRun, recordPage } from './anonymisation-store.ts';
import { type ErasureKeys, receiptSigner } from './erasure-keys.ts';
import type { RunEnds } from './run-ends.ts';

interface Dependencies extends ErasureKeys {
  interactions: Pick<RpcClient<InteractionServiceService>, 'redactCustomer' | 'deleteCustomerInteractions'>;
  webhooks: Pick<RpcClient<WebhookServiceService>, 'redactEvents'>;
  runEnds: RunEnds;
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
      dependencies.runEnds.ended(erasureId);
      dependencies.relay.wake();
    }
  } catch (error) {
    const line = { err: error, requestId: erasureId, workspaceId };
    dependencies.logger.warn(line, 'an erasure failed; it will be retried');
    dependencies.runEnds.ended(erasureId, error);
  }
  return true;
}

/**
 * Removes a page of data from before the fence of its version: in the interactions, then in what the webhook service
 * has about them. Returns whether a run ended.
 */
async function removePage(dependencies: Dependencies, page: ClaimedPage): Promise<boolean> {
  const { db, webhooks } = dependencies;
  const { workspaceId, customerId, version: customerVersion, erasureId: requestId } = page;
  const customer = { workspaceId, customerId, customerVersion };
  const remove = page.kind === 'deletion' ? deleteInteractions : redactInteractions;
  const { interactionIds, interactions, firstVersion, nextPageToken } = await remove(dependencies, page);
  const { eventsRemoved: events } =
    interactionIds.length > 0
      ? await webhooks.redactEvents({ ...customer, firstVersion, interactionIds }, { requestId })
      : { eventsRemoved: 0 };
  const removed = { interactions, events };
  if (nextPageToken === '') return finishRun(db, page, removed, await receiptSigner(dependencies));
  await recordPage(db, page, removed, nextPageToken);
  return false;
}

interface RemovedInteractions {
  interactionIds: string[];
  /** How many of them count as removed. */
  interactions: number;
  /** What was redacted for an earlier version does not count. Undefined: all counts. */
  firstVersion: number | undefined;
  nextPageToken: string;
}

async function redactInteractions(
  { interactions }: Dependencies,
  page: ClaimedPage,
): Promise<RemovedInteractions> {
  const { workspaceId, customerId, version, erasureId: requestId, details, firstVersion, pageToken } = page;
  const request = { workspaceId, customerId, customerVersion: version, firstVersion, details, pageToken };
  const redacted = await interactions.redactCustomer(request, { requestId });
  const { interactionIds, nextPageToken, interactionsRemoved } = redacted;
  return { interactionIds, interactions: interactionsRemoved, firstVersion, nextPageToken };
}

/** A repeated page has the same interactions. */
async function deleteInteractions(
  { interactions }: Dependencies,
  page: ClaimedPage,
): Promise<RemovedInteractions> {
  const { workspaceId, customerId, version, erasureId: requestId, pageToken } = page;
  const request = { workspaceId, customerId, customerVersion: version, pageToken };
  const deleted = await interactions.deleteCustomerInteractions(request, { requestId });
  const { interactionIds, nextPageToken } = deleted;
  return { interactionIds, interactions: interactionIds.length, firstVersion: undefined, nextPageToken };
}
