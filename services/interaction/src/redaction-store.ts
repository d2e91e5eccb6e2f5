import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** Ids of a customer's interactions after the given one, ascending. */
export async function listIdsOfCustomer(
  db: Kysely<Tables>,
  customer: { workspaceId: string; customerId: string },
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('interaction')
    .select('id')
    .where('workspaceId', '=', customer.workspaceId)
    .where('customerId', '=', customer.customerId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** The payload of an event that is not known to have arrived; undefined when it has, or never was. */
export async function loadPayload(
  db: Kysely<Tables>,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select('payload')
    .where('workspaceId', '=', workspaceId)
    .where('eventId', '=', id)
    .executeTakeFirst();
  return row?.payload;
}

/** Puts another payload in the place of one that may still be sent. */
export async function replacePayload(
  db: Kysely<Tables>,
  { workspaceId, id }: { workspaceId: string; id: string },
  payload: Buffer,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ payload })
    .where('workspaceId', '=', workspaceId)
    .where('eventId', '=', id)
    .execute();
}

/** A stored answer to a call about a customer. */
export interface StoredAnswer {
  scope: string;
  response: Buffer;
}

/** Stored answers about a customer, in the order of their scopes, after the given one. */
export async function listAnswers(
  db: Kysely<Tables>,
  customer: { workspaceId: string; customerId: string },
  after: string,
  limit: number,
): Promise<StoredAnswer[]> {
  const rows = await db
    .selectFrom('idempotencyRecord')
    .select(['scope', 'response'])
    .where('workspaceId', '=', customer.workspaceId)
    .where('subject', '=', customer.customerId)
    .where('scope', '>', after)
    .orderBy('scope')
    .limit(limit)
    .$narrowType<{ response: Buffer }>()
    .execute();
  return rows;
}

/** Puts another answer in the place of a stored one. */
export async function replaceAnswer(
  db: Kysely<Tables>,
  workspaceId: string,
  scope: string,
  response: Buffer,
): Promise<void> {
  await db
    .updateTable('idempotencyRecord')
    .set({ response })
    .where('workspaceId', '=', workspaceId)
    .where('scope', '=', scope)
    .execute();
}
