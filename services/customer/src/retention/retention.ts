import { randomUUID } from 'node:crypto';
import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import type { RpcClient } from '@parley/rpc/definition';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Kysely } from 'kysely';
import { claimSweep, endSweepPage, type SweepPage } from './retention-store.ts';
import type { Tables } from '../schema.ts';

interface Dependencies {
  db: Kysely<Tables>;
  interactions: Pick<RpcClient<InteractionServiceService>, 'listOutdated' | 'deleteOutdated'>;
  webhooks: Pick<RpcClient<WebhookServiceService>, 'listUndelivered'>;
  logger: Logger;
}

/** The pause after a sweep of a workspace: days are counted, so an hour more is little. */
const pauseSeconds = 60 * 60;
/** The pause if the webhook service has not read all events yet. */
const behindSeconds = 60;

/**
 * Deletes one page of the outdated interactions of the workspace whose turn it is, except interactions with open
 * deliveries. Returns true when there may be more. Deletes nothing while events are unread: a completion is delivered
 * first. Each step can be repeated, and a page that fails is retried when its lease ends.
 */
export async function sweepNextPage({ db, logger, ...peers }: Dependencies): Promise<boolean> {
  const sweep = await claimSweep(db);
  if (!sweep) return false;
  const { workspaceId } = sweep;
  const requestId = randomUUID();
  try {
    await endSweepPage(db, sweep, await sweepPage(peers, sweep, requestId));
  } catch (error) {
    const line = { err: error, requestId, workspaceId };
    logger.warn(line, 'outdated interactions cannot be deleted now; it will be retried');
  }
  return true;
}

/** Returns which page is next, and when. */
async function sweepPage(
  { interactions, webhooks }: Pick<Dependencies, 'interactions' | 'webhooks'>,
  sweep: SweepPage,
  requestId: string,
): Promise<{ pageToken: string; dueInSeconds: number }> {
  const { workspaceId, pageToken, completedDays, endedDays, draftDays } = sweep;
  const of = { workspaceId, retention: { completedDays, endedDays, draftDays } };
  const page = await interactions.listOutdated({ ...of, pageToken }, { requestId });
  const { interactionIds, latestChangeAt, nextPageToken } = page;
  if (interactionIds.length > 0) {
    const asked = { workspaceId, interactionIds, latestChangeAt };
    const undelivered = await webhooks.listUndelivered(asked, { requestId });
    if (undelivered.isBehind) return { pageToken, dueInSeconds: behindSeconds };
    const kept = new Set(undelivered.interactionIds);
    const ids = interactionIds.filter((id) => !kept.has(id));
    if (ids.length > 0) await interactions.deleteOutdated({ ...of, interactionIds: ids }, { requestId });
  }
  return { pageToken: nextPageToken, dueInSeconds: nextPageToken === '' ? pauseSeconds : 0 };
}
