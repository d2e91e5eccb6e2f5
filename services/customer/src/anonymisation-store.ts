import { Customer } from '@parley/contracts/customer/v1/customer';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { AnonymisationTable, Tables } from './schema.ts';

type Db = Kysely<Tables>;

/** An anonymisation that is under way. */
export type Anonymisation = Pick<
  Selectable<AnonymisationTable>,
  'workspaceId' | 'customerId' | 'version' | 'details'
>;

/** How long after its last sign of life an anonymisation is taken up by others. */
const leaseSeconds = 5;

/**
 * Empties the row and the answers kept for replays, so that nothing is begun with the details any more, and notes what has
 * to go from everywhere else: these details and those of an earlier try that was not finished. It goes on with such a try
 * where that had all there is, so that trying again comes to an end. Undefined when there is no such customer.
 */
export async function beginAnonymisation(
  db: Db,
  workspaceId: string,
  customerId: string,
): Promise<Anonymisation | undefined> {
  // What creating the customer answered, in which the person is the only thing that can differ.
  const answer = Customer.encode({ id: customerId, firstName: '', lastName: '', email: '', version: 1 });
  const { rows } = await sql<Anonymisation>`
    with person as (
      select workspace_id, id, array_remove(array[first_name, last_name, email], '') as details
      from customer where workspace_id = ${workspaceId} and id = ${customerId} for update
    ), emptied as (
      update customer set first_name = '', last_name = '', email = '',
        version = version + case when person.details = '{}' and exists (
          select from anonymisation as earlier
          where earlier.workspace_id = person.workspace_id and earlier.customer_id = person.id) then 0 else 1 end
      from person where customer.workspace_id = person.workspace_id and customer.id = person.id
      returning customer.version, person.details
    ), replays as (
      update idempotency_record set response = ${Buffer.from(answer.finish())}
      where workspace_id = ${workspaceId} and subject = ${customerId}
    )
    insert into anonymisation as begun (workspace_id, customer_id, version, details)
    select ${workspaceId}, ${customerId}, version, details from emptied
    on conflict (workspace_id, customer_id) do update set
      version = excluded.version,
      details = array(select distinct unnest(begun.details || excluded.details)),
      alive_at = now()
    returning workspace_id, customer_id, version, details`.execute(db);
  return rows[0];
}

/** Keeps others from taking it up. */
export async function renewAnonymisation(db: Db, { workspaceId, customerId }: Anonymisation): Promise<void> {
  await db
    .updateTable('anonymisation')
    .set({ aliveAt: sql`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .execute();
}

/** Deletes the note; one that belongs to a later anonymisation stays. */
export async function finishAnonymisation(
  db: Db,
  { workspaceId, customerId, version }: Anonymisation,
): Promise<void> {
  await db
    .deleteFrom('anonymisation')
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .where('version', '=', version)
    .execute();
}

/** Takes up the one that has given no sign of life for longest, if any, of all workspaces: nobody else does for a while. */
export async function takeUpAnonymisation(db: Db): Promise<Anonymisation | undefined> {
  const { rows } = await sql<Anonymisation>`
    ${acrossWorkspaces('anonymisations are finished whosever they are')}
    update anonymisation set alive_at = now()
    where (workspace_id, customer_id) = (
      select workspace_id, customer_id from anonymisation
      where alive_at < now() - make_interval(secs => ${leaseSeconds})
      order by alive_at limit 1 for update skip locked)
    returning workspace_id, customer_id, version, details`.execute(db);
  return rows[0];
}
