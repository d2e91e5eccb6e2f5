import { type EventType, eventTypes } from '@parley/contracts/events';
import type { FactsServiceService } from '@parley/contracts/interaction/v1/facts';
import type { Received, Share, Take } from '@parley/events/consumer';
import type { RpcClient } from '@parley/rpc/definition';
import { preconditionFailed } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { v7 as uuidv7 } from 'uuid';
import {
  generationIds,
  generationsOf,
  listGenerations,
  moveScan,
  readServer,
} from '../generations/generation-store.ts';
import type { Db, Trx } from '../schema.ts';
import { countFacts, type ReadPage } from './count-facts.ts';

export type FactsClient = RpcClient<FactsServiceService>;

interface Counting {
  db: Db;
  facts: FactsClient;
  logger: Logger;
}

/** How many interactions a page of a scan has. */
const pageMax = 500;

interface OfInteraction {
  workspaceId: string;
  interactionId: string;
}

/** The events of interactions: after each, one may count in another way. */
export const types = eventTypes.filter(isOfInteraction);

function isOfInteraction(type: EventType): type is EventType<OfInteraction> {
  return type.subject.startsWith('parley.interaction.');
}

/**
 * Returns the handler of the events. An event only says that an interaction has changed: it is counted by its present
 * facts. So it does not matter in which order events come, and how often.
 */
export function countEvents(parts: Counting) {
  return async (received: Received<OfInteraction>[], take: Take, { signal }: Pick<Share, 'signal'>) => {
    const byId = new Map(received.map(({ message }) => [message.interactionId, message]));
    await countPresent(parts, [...byId.values()], { take, signal });
  };
}

/** Rolls back what was counted in a generation that has begun since the facts were read. */
const begun = preconditionFailed('A generation has begun');

/**
 * Reads the facts of these interactions, at most 500, and counts them in the transaction of `take`. The scan of a
 * generation that begins later reads these facts or newer ones. If one has begun since before the read, reads again:
 * that one does not know which of them were deleted before it.
 */
export async function countPresent(
  { db, facts, logger }: Counting,
  conversations: readonly OfInteraction[],
  { take, signal }: { take?: (trx: Trx) => Promise<unknown>; signal: AbortSignal },
): Promise<void> {
  for (;;) {
    const known = new Set(await generationIds(db));
    const read = await readFacts(facts, conversations, signal);
    try {
      return await countFacts({ db, logger }, read, async (trx) => {
        await take?.(trx);
        const generations = await generationsOf(trx, read.server);
        if (!generations.every((id) => known.has(id))) throw begun;
        return generations;
      });
    } catch (error) {
      if (error !== begun) throw error;
    }
  }
}

/**
 * Counts the next page of all interactions in the generation that is building. Returns whether there may be more. Each
 * page is counted once, also if two replicas read it at the same time, and only if it is from the database server of
 * the pages before.
 */
export async function scanPage(
  { db, facts: client, logger }: Counting,
  signal: AbortSignal,
): Promise<boolean> {
  const generations = await listGenerations(db);
  const building = generations.find(({ state, scannedAt }) => state === 'building' && !scannedAt);
  if (!building) return false;
  const { id, scannedTo: after } = building;
  const page = await client.scanConversationFacts({ after, limit: pageMax }, { requestId: uuidv7(), signal });
  const read = page.facts.map((facts) => ({
    workspaceId: facts.workspaceId,
    interactionId: facts.interactionId,
    facts,
  }));
  const to = read.at(-1)?.interactionId ?? after;
  const { hasMore, total, horizon, server } = page;
  await countFacts({ db, logger }, { read, horizon, server }, async (trx) => {
    const isMine = await moveScan(trx, id, { server, after, to, count: read.length, hasMore, total });
    return isMine ? [id] : [];
  });
  // A round begins a new generation on another server.
  return hasMore && (await readServer(db)) === server;
}

/** At most 500. Interactions that do not exist are deleted. */
async function readFacts(
  client: FactsClient,
  conversations: readonly OfInteraction[],
  signal: AbortSignal,
): Promise<ReadPage> {
  // All facts: generations may have counted different ones.
  const known = conversations.map(({ workspaceId, interactionId }) => {
    return { workspaceId, interactionId, version: 0, isStalled: false };
  });
  const request = { conversations: known };
  const options = { requestId: uuidv7(), signal };
  const { facts, missingIds, horizon, server } = await client.listConversationFacts(request, options);
  const isMissing = new Set(missingIds);
  const missing = conversations.filter(({ interactionId }) => isMissing.has(interactionId));
  return {
    horizon,
    server,
    read: [
      ...facts.map((one) => ({ workspaceId: one.workspaceId, interactionId: one.interactionId, facts: one })),
      ...missing.map(({ workspaceId, interactionId }) => ({ workspaceId, interactionId, facts: undefined })),
    ],
  };
}
