import { inTransaction } from '@parley/postgres/connecting/transaction';
import { AppError } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { decideOffers } from '../contacts/offering.ts';
import type { InteractionRow } from '../interactions/store.ts';
import type { Tables } from '../schema.ts';
import { type Creation, insertInteractions } from './creation-store.ts';

/** Undefined if the customer was anonymised after it was read. An error if the offer is not allowed. */
export type Inserted = InteractionRow | AppError | undefined;

/**
 * As `insertInteractions`, for the creations of one workspace, and only those that its contact policy allows. Without a
 * policy, it costs nothing. Otherwise one transaction decides the offers and inserts them.
 */
export async function insertAllowed(db: Kysely<Tables>, creations: readonly Creation[]): Promise<Inserted[]> {
  const offers = creations.flatMap(({ offer }) => offer ?? []);
  const workspaceId = creations[0]?.row.workspaceId;
  if (offers.length === 0 || workspaceId === undefined) return insertInteractions(db, creations);
  return inTransaction(db, async (trx) => {
    const errors = await decideOffers(trx, { workspaceId }, offers);
    const refused = new Map(offers.map((offer, n) => [offer, errors[n]]));
    const errorOf = ({ offer }: Creation): AppError | undefined => offer && refused.get(offer);
    const allowed = creations.filter((creation) => !errorOf(creation));
    const rows = await insertInteractions(trx, allowed);
    const byCreation = new Map(allowed.map((creation, n) => [creation, rows[n]]));
    return creations.map((creation) => errorOf(creation) ?? byCreation.get(creation));
  });
}

/**
 * As `insertAllowed`, and a creation that the database rejects fails alone. Those without an offer join the batches of
 * other calls. The others are inserted together, and one after another only if that fails.
 */
export async function insertEach(db: Kysely<Tables>, creations: readonly Creation[]): Promise<Inserted[]> {
  const offering = creations.filter(({ offer }) => offer);
  const free = creations.filter(({ offer }) => !offer);
  const [offered, others] = await Promise.all([
    insertTogether(db, offering),
    Promise.all(free.map((creation) => insertAlone(db, creation))),
  ]);
  const inserted = new Map([
    ...offering.map((creation, n) => [creation, offered[n]] as const),
    ...free.map((creation, n) => [creation, others[n]] as const),
  ]);
  return creations.map((creation) => inserted.get(creation));
}

async function insertTogether(db: Kysely<Tables>, creations: readonly Creation[]): Promise<Inserted[]> {
  try {
    return await insertAllowed(db, creations);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const rows: Inserted[] = [];
    for (const creation of creations) rows.push(await insertAlone(db, creation));
    return rows;
  }
}

async function insertAlone(db: Kysely<Tables>, creation: Creation): Promise<Inserted> {
  try {
    const [row] = await insertAllowed(db, [creation]);
    return row;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
