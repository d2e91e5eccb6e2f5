import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

type Db = Kysely<Tables>;

/**
 * Notes what has to go: the customer's details now, and those of an earlier try that was not finished. Undefined when
 * there is no such customer.
 */
export async function beginAnonymisation(
  db: Db,
  workspaceId: string,
  customerId: string,
): Promise<string[] | undefined> {
  const { rows } = await sql<{ details: string[] }>`
    insert into anonymisation as begun (workspace_id, customer_id, details)
    select workspace_id, id, array_remove(array[first_name, last_name, email], '')
    from customer where workspace_id = ${workspaceId} and id = ${customerId}
    on conflict (workspace_id, customer_id) do update
      set details = (select array_agg(distinct detail) from unnest(begun.details || excluded.details) as detail)
    returning coalesce(details, '{}') as details`.execute(db);
  return rows[0]?.details;
}

/** Empties the row, its stored answers and the note, at once. */
export async function finishAnonymisation(db: Db, workspaceId: string, customerId: string): Promise<void> {
  await db
    .with('note', (cte) =>
      cte
        .deleteFrom('anonymisation')
        .where('workspaceId', '=', workspaceId)
        .where('customerId', '=', customerId),
    )
    .with('answers', (cte) =>
      cte
        .deleteFrom('idempotencyRecord')
        .where('workspaceId', '=', workspaceId)
        .where('subject', '=', customerId),
    )
    .updateTable('customer')
    .set({ firstName: '', lastName: '', email: '', version: sql`version + 1` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', customerId)
    .execute();
}

/** Those begun at least a minute ago, oldest first: whoever began them is not at it any more. */
export async function listUnfinishedAnonymisations(
  db: Db,
): Promise<{ workspaceId: string; customerId: string }[]> {
  return db
    .selectFrom('anonymisation')
    .where('createdAt', '<', sql<Date>`now() - interval '1 minute'`)
    .orderBy('createdAt')
    .limit(100)
    .select(['workspaceId', 'customerId'])
    .execute();
}
