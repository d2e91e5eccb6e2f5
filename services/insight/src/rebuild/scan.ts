import { v7 as uuidv7 } from 'uuid';
import { countFacts } from '../counting/count-facts.ts';
import type { FactsClient } from '../counting/facts.ts';
import type { Db } from '../schema.ts';
import { listGenerations, moveScan, readServer } from '../generations/generation-store.ts';

const pageMax = 500;

/**
 * Counts the next page of all interactions in the generation that is building. Returns whether there may be more. Each
 * page is counted once, also if two replicas read it at the same time, and only if it is from the database server of
 * the pages before.
 */
export async function scanPage(
  { db, facts: client }: { db: Db; facts: FactsClient },
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
  await countFacts(db, { read, horizon, server }, async (trx) => {
    const isMine = await moveScan(trx, id, { server, after, to, count: read.length, hasMore, total });
    return isMine ? [id] : [];
  });
  // A round begins a new generation on another server.
  return hasMore && (await readServer(db)) === server;
}
