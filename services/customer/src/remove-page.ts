import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import type { RpcClient } from '@parley/rpc/definition';
import type { Schedule } from '@parley/runtime/schedule';
import { type ClaimedPage, claimPage, finishRound, recordPage } from './anonymisation-store.ts';
import { type ErasureKeys, receiptSigner } from './erasure-keys.ts';
import type { RoundEnds } from './round-ends.ts';

/** The database, the keys of receipts, and the other services that store a customer's details. */
interface Dependencies extends ErasureKeys {
  interactions: Pick<RpcClient<InteractionServiceService>, 'redactCustomer'>;
  webhooks: Pick<RpcClient<WebhookServiceService>, 'redactEvents'>;
  roundEnds: RoundEnds;
  relay: Pick<Schedule, 'wake'>;
}

/**
 * Processes one page of the unfinished anonymisation whose turn it is. Returns true when there may be more. A page that
 * fails is retried when its lease ends. Every step is idempotent, also under concurrency. The id of the erasure is the
 * request id of its calls.
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
    dependencies.logger.warn(line, 'anonymisation failed; it will be retried');
    dependencies.roundEnds.ended(erasureId, error);
  }
  return true;
}

/** Removes the details from a page of data from before the fence of its version. Returns whether a round ended. */
async function removePage(dependencies: Dependencies, page: ClaimedPage): Promise<boolean> {
  const { db, interactions, webhooks } = dependencies;
  const { workspaceId, customerId, erasureId: requestId, details, firstVersion, pageToken } = page;
  const customer = { workspaceId, customerId, customerVersion: page.version };
  const request = { ...customer, firstVersion, details, pageToken };
  const redacted = await interactions.redactCustomer(request, { requestId });
  const { interactionIds } = redacted;
  const { eventsRemoved } =
    interactionIds.length > 0
      ? await webhooks.redactEvents({ ...customer, firstVersion, interactionIds }, { requestId })
      : { eventsRemoved: 0 };
  const removed = { interactions: redacted.interactionsRemoved, events: eventsRemoved };
  if (redacted.nextPageToken === '') return finishRound(db, page, removed, await receiptSigner(dependencies));
  await recordPage(db, page, removed, redacted.nextPageToken);
  return false;
}
