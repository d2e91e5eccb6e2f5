import { v7 as uuidv7 } from 'uuid';
import { applyReadings } from '../counting/apply.ts';
import type { FactsClient } from '../counting/facts.ts';
import type { Db } from '../schema.ts';
import { listGenerations, moveScan } from '../generations/generation-store.ts';

const pageMax = 500;

/**
 * Counts the next page of all interactions in the generation that is building. Returns whether there may be more. Each
 * page is counted once, also if two replicas read it at the same time.
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
  const readings = page.facts.map((facts) => ({
    workspaceId: facts.workspaceId,
    interactionId: facts.interactionId,
    facts,
  }));
  const to = readings.at(-1)?.interactionId ?? after;
  const { hasMore, total } = page;
  await db.transaction().execute(async (trx) => {
    const isMine = await moveScan(trx, id, { after, to, count: readings.length, hasMore, total });
    if (isMine) await applyReadings(trx, [id], readings);
  });
  return hasMore;
}
