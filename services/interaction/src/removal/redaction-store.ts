import { scans } from '@parley/postgres/sql/dialect';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import type { FencedCustomer } from '@parley/postgres/fence';

/** Returns the next ids behind `after` of interactions that are older than this version of the fence. */
export async function listIdsBeforeFence(
  db: Kysely<Tables>,
  customer: FencedCustomer,
  version: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await beforeFence(db, customer, version)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Returns the ids whose interactions are older than this version of the fence. */
export async function keepIdsBeforeFence(
  db: Kysely<Tables>,
  customer: FencedCustomer,
  version: number,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await beforeFence(db, customer, version)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map((row) => row.id));
}

function beforeFence(db: Kysely<Tables>, { workspaceId, customerId }: FencedCustomer, version: number) {
  return db
    .selectFrom('interaction')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .where('fenceVersion', '<', version);
}

/** Deletes the fingerprints of messages: a short text can be guessed from its hash. */
export async function deleteMessages(
  db: Kysely<Tables>,
  workspaceId: string,
  interactionId: string,
): Promise<void> {
  await db
    .deleteFrom('message')
    .where('workspaceId', '=', workspaceId)
    .where('interactionId', '=', interactionId)
    .execute();
}

/** A stored answer to a call with an Idempotency-Key. */
export interface StoredAnswer {
  storedKey: string;
  response: Buffer;
}

/**
 * Returns the next stored answers about a customer behind the stored key `after`, in their order: at most `limit`,
 * and with at most `bytesMax` in all, but at least one.
 */
export async function listAnswers(
  db: Kysely<Tables>,
  { workspaceId, customerId }: FencedCustomer,
  after: string,
  { limit, bytesMax }: { limit: number; bytesMax: number },
): Promise<StoredAnswer[]> {
  return scans(db)
    .selectFrom((from) =>
      from
        .selectFrom('idempotencyRecord')
        .select([
          'scope as storedKey',
          'response',
          sql<number>`sum(octet_length(response)) over (order by scope)`.as('bytes'),
          sql<number>`row_number() over (order by scope)`.as('place'),
        ])
        .where('workspaceId', '=', workspaceId)
        .where('subject', '=', customerId)
        // Answers about deleted interactions are forgotten.
        .where('response', 'is not', null)
        .where('scope', '>', after)
        .orderBy('scope')
        .limit(limit)
        .as('page'),
    )
    .select(['storedKey', 'response'])
    .where((is) => is.or([is('place', '=', 1), is('bytes', '<=', bytesMax)]))
    .orderBy('storedKey')
    .$narrowType<{ response: Buffer }>()
    .execute();
}

/** Returns false when the answer has changed. */
export async function replaceAnswer(
  db: Kysely<Tables>,
  workspaceId: string,
  { storedKey, response }: StoredAnswer,
  replacement: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotencyRecord')
    .set({ response: replacement })
    .where('workspaceId', '=', workspaceId)
    .where('scope', '=', storedKey)
    .where('response', '=', response)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
