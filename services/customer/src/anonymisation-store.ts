import { Customer } from '@parley/contracts/customer/v1/customer';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { AnonymisationTable, Tables } from './schema.ts';

type Db = Kysely<Tables>;

/** An anonymisation that is under way. */
export type Anonymisation = Pick<
  Selectable<AnonymisationTable>,
  'workspaceId' | 'customerId' | 'version' | 'details' | 'askedAgain'
>;

/** How long after its last sign of life an anonymisation is taken up by others. */
const leaseSeconds = 5;

/**
 * Empties the row and the answers kept for replays, so that nothing is begun with the details any more, and notes what has
 * to go from everywhere else: these details and those of an earlier try that was not finished. With such a try, and nothing
 * in the row that is new to it, the version stays and the note keeps that it was asked again: the round that is under way
 * goes on, and another follows. Undefined when there is no such customer.
 */
export async function beginAnonymisation(
  db: Db,
  workspaceId: string,
  customerId: string,
): Promise<Anonymisation | undefined> {
  // What creating the customer answered, in which the person is the only thing that can differ.
  const answer = Customer.encode({ id: customerId, firstName: '', lastName: '', email: '', version: 1 });
  return underLock(db, workspaceId, customerId, async (trx) => {
    const { rows } = await sql<Anonymisation>`
      with person as (
        select workspace_id, id, array_remove(array[first_name, last_name, email], '') as details
        from customer where workspace_id = ${workspaceId} and id = ${customerId}
      ), judged as (
        select person.*, details = '{}' and exists (
          select from anonymisation as earlier
          where earlier.workspace_id = person.workspace_id and earlier.customer_id = person.id) as asked_again
        from person
      ), emptied as (
        update customer set first_name = '', last_name = '', email = '', version = version + (not asked_again)::int
        from judged where customer.workspace_id = judged.workspace_id and customer.id = judged.id
        returning customer.version, judged.details, judged.asked_again
      ), replays as (
        update idempotency_record set response = ${Buffer.from(answer.finish())}
        where workspace_id = ${workspaceId} and subject = ${customerId}
      )
      insert into anonymisation as begun (workspace_id, customer_id, version, details, asked_again)
      select ${workspaceId}, ${customerId}, version, details, asked_again from emptied
      on conflict (workspace_id, customer_id) do update set
        version = excluded.version,
        details = array(select distinct unnest(begun.details || excluded.details)),
        asked_again = excluded.asked_again,
        alive_at = now()
      returning workspace_id, customer_id, version, details, asked_again`.execute(trx);
    return rows[0];
  });
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

/**
 * After a round: deletes its note, or, when it was asked again meanwhile, gives the customer and the note a new version for
 * the round that is due. Answers the note that is there now: that one, or what others have made of it; undefined when
 * nothing is left to do.
 */
export async function finishAnonymisation(
  db: Db,
  { workspaceId, customerId, version }: Anonymisation,
): Promise<Anonymisation | undefined> {
  return underLock(db, workspaceId, customerId, async (trx) => {
    const { rows } = await sql<Anonymisation>`
      with done as (
        delete from anonymisation
        where workspace_id = ${workspaceId} and customer_id = ${customerId}
          and version = ${version} and not asked_again
        returning customer_id
      ), raised as (
        update customer set version = customer.version + 1 from anonymisation
        where customer.workspace_id = ${workspaceId} and customer.id = ${customerId}
          and anonymisation.workspace_id = ${workspaceId} and anonymisation.customer_id = ${customerId}
          and anonymisation.version = ${version} and asked_again
        returning customer.version
      ), due as (
        update anonymisation set version = raised.version, asked_again = false, alive_at = now() from raised
        where workspace_id = ${workspaceId} and customer_id = ${customerId}
        returning workspace_id, customer_id, anonymisation.version, details, asked_again
      )
      select * from due
      union all
      select workspace_id, customer_id, version, details, asked_again from anonymisation
      where workspace_id = ${workspaceId} and customer_id = ${customerId}
        and not exists (select from done) and not exists (select from due)`.execute(trx);
    return rows[0];
  });
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
    returning workspace_id, customer_id, version, details, asked_again`.execute(db);
  return rows[0];
}

/**
 * Works on a customer's row and note while no other does: they change together, and a statement sees what was committed
 * before it, not what was while it waited for a lock. Undefined when there is no such customer.
 */
async function underLock<T>(
  db: Db,
  workspaceId: string,
  customerId: string,
  work: (trx: Db) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction().execute(async (trx) => {
    const customer = await trx
      .selectFrom('customer')
      .select('id')
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', customerId)
      .forUpdate()
      .executeTakeFirst();
    return customer && work(trx);
  });
}
