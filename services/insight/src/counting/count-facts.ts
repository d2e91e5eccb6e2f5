import { toAppError } from '@parley/runtime/errors';
import type { Db, Trx } from '../schema.ts';
import { applyFacts, type ReadFacts, type ReadPage } from './apply.ts';

/**
 * Counts facts in one transaction, in the generations that `begin` returns. Facts that the database rejects do not fail
 * the others: their interactions are counted as unknown. Rejects with what fails also without their values.
 */
export async function countFacts(
  db: Db,
  { read, ...transactions }: ReadPage,
  begin: (trx: Trx) => Promise<readonly number[]>,
): Promise<void> {
  const count = (part: readonly ReadFacts[]): Promise<void> =>
    db
      .transaction()
      .execute(async (trx) => applyFacts(trx, await begin(trx), { read: part, ...transactions }));
  try {
    await count(read);
  } catch (error) {
    if (!isRejection(error)) throw error;
    const rejected = await findRejected(read, async (part) => {
      await db.transaction().execute(async (trx) => {
        await applyFacts(trx, await begin(trx), { read: part, ...transactions });
        throw accepted;
      });
    });
    await count(read.map((one) => (rejected.has(one) ? unknown(one) : one)));
  }
}

/** Rolls back a trial. */
const accepted = new Error('the facts can be counted');

/** Returns whether an error may be about the values: no dependency is unavailable, and nothing has timed out. */
function isRejection(error: unknown): boolean {
  return toAppError(error).code === 'internal';
}

/** Returns the facts that a trial rejects, by halving. */
async function findRejected(
  read: readonly ReadFacts[],
  tryOut: (part: readonly ReadFacts[]) => Promise<void>,
): Promise<Set<ReadFacts>> {
  try {
    await tryOut(read);
  } catch (error) {
    if (error === accepted) return new Set();
    if (!isRejection(error)) throw error;
  }
  if (read.length <= 1) return new Set(read);
  const middle = Math.ceil(read.length / 2);
  const first = await findRejected(read.slice(0, middle), tryOut);
  const second = await findRejected(read.slice(middle), tryOut);
  return new Set([...first, ...second]);
}

function unknown({ facts, ...one }: ReadFacts): ReadFacts {
  return { ...one, facts: facts && { ...facts, isUnknown: true, steps: [], evaluation: [], lastStepId: '' } };
}
