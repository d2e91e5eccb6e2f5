import { NIL } from 'uuid';
import { listGenerations } from '../generations/generation-store.ts';
import type { Db } from '../schema.ts';
import { applyReadings } from './apply.ts';
import { listOpen } from './contribution-store.ts';
import { type FactsClient, readFacts } from './facts.ts';

const pageMax = 500;

/**
 * Counts what has changed in open conversations of these generations: answers raise no event. Costs one read and one
 * call for each 500 of them, and a transaction only if one has changed.
 */
export async function countOpenConversations(
  { db, facts }: { db: Db; facts: FactsClient },
  generations: readonly { id: number }[],
  signal: AbortSignal,
): Promise<void> {
  for (const { id } of generations) {
    for (let after: string | undefined = NIL; after !== undefined; ) {
      const open = await listOpen(db, id, { after, limit: pageMax });
      const known = open.map((one) => ({ ...one, isStalled: false }));
      const readings = known.length > 0 ? await readFacts(facts, known, signal) : [];
      if (readings.length > 0) {
        await db.transaction().execute(async (trx) => {
          const all = await listGenerations(trx);
          await applyReadings(
            trx,
            all.map((one) => one.id),
            readings,
          );
        });
      }
      after = open.length === pageMax ? open.at(-1)?.interactionId : undefined;
    }
  }
}
