import { type Kysely, sql } from 'kysely';
import type { AnonymisationTable, Tables } from './schema.ts';

type Db = Kysely<Tables>;

/**
 * Empties the row, so that nothing is begun with the details any more, and notes what has to go from everywhere else:
 * these details and those of an earlier try that was not finished. Undefined when there is no such customer.
 */
export async function beginAnonymisation(
  db: Db,
  workspaceId: string,
  customerId: string,
): Promise<string[] | undefined> {
  const { rows } = await sql<{ details: string[] }>`
    with person as (
      select workspace_id, id, array_remove(array[first_name, last_name, email], '') as details
      from customer where workspace_id = ${workspaceId} and id = ${customerId} for update
    ), emptied as (
      update customer set first_name = '', last_name = '', email = '', version = version + 1
      from person where customer.workspace_id = person.workspace_id and customer.id = person.id
    )
    insert into anonymisation as begun (workspace_id, customer_id, details)
    select workspace_id, id, details from person
    on conflict (workspace_id, customer_id) do update
      set details = array(select distinct unnest(begun.details || excluded.details))
    returning details`.execute(db);
  return rows[0]?.details;
}

/** Deletes the stored answers and the note, at once; a note that has grown beyond `details` meanwhile stays. */
export async function finishAnonymisation(
  db: Db,
  workspaceId: string,
  customerId: string,
  details: readonly string[],
): Promise<void> {
  await db
    .with('answers', (cte) =>
      cte
        .deleteFrom('idempotencyRecord')
        .where('workspaceId', '=', workspaceId)
        .where('subject', '=', customerId),
    )
    .deleteFrom('anonymisation')
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .where(sql<boolean>`details <@ ${details}::text[]`)
    .execute();
}

/** Those begun at least a minute ago, oldest first: whoever began them is not at it any more. */
export async function listUnfinishedAnonymisations(
  db: Db,
): Promise<Pick<AnonymisationTable, 'workspaceId' | 'customerId' | 'details'>[]> {
  return db
    .selectFrom('anonymisation')
    .where('createdAt', '<', sql<Date>`now() - interval '1 minute'`)
    .orderBy('createdAt')
    .limit(100)
    .select(['workspaceId', 'customerId', 'details'])
    .execute();
}
