import { Customer } from '@parley/contracts/customer/v1/customer';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { preconditionFailed } from '@parley/runtime/errors';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { AnonymisationTable, Tables } from './schema.ts';

type Db = Kysely<Tables>;

/** An anonymisation that has begun and is not finished. */
export type Anonymisation = Pick<
  Selectable<AnonymisationTable>,
  'workspaceId' | 'customerId' | 'version' | 'details' | 'askedAgain'
>;

/** Another process resumes an anonymisation after this time without a heartbeat. */
const leaseSeconds = 5;

/**
 * Clears the customer's row and stored answers, and records the details that other stores must remove: these, and those
 * of an unfinished anonymisation. If there is one, and the row has no new details, the version stays and `askedAgain`
 * is set: another round follows the current one. Returns undefined when there is no such customer. ABORTED when its
 * version is not `ifVersion`.
 */
export async function beginAnonymisation(
  db: Db,
  workspaceId: string,
  customerId: string,
  ifVersion: number | null,
): Promise<Anonymisation | undefined> {
  // The answer to the creation, which differs in the personal details only.
  const answer = Customer.encode({ id: customerId, firstName: '', lastName: '', email: '', version: 1 });
  return underLock(db, workspaceId, customerId, async (trx, rowVersion) => {
    if (ifVersion !== null && ifVersion !== rowVersion) throw preconditionFailed();
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

/** Records a heartbeat. */
export async function renewAnonymisation(db: Db, { workspaceId, customerId }: Anonymisation): Promise<void> {
  await db
    .updateTable('anonymisation')
    .set({ aliveAt: sql`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .execute();
}

/**
 * Ends a round: deletes its record, or, if another round was requested, gives customer and record a new version.
 * Returns the current record, which others may have changed; undefined when nothing is left to do.
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

/** Claims the anonymisation, of all workspaces, whose lease expired first. Returns undefined without one. */
export async function claimAnonymisation(db: Db): Promise<Anonymisation | undefined> {
  const { rows } = await sql<Anonymisation>`
    ${acrossWorkspaces('anonymisations of all workspaces are resumed')}
    update anonymisation set alive_at = now()
    where (workspace_id, customer_id) = (
      select workspace_id, customer_id from anonymisation
      where alive_at < now() - make_interval(secs => ${leaseSeconds})
      order by alive_at limit 1 for update skip locked)
    returning workspace_id, customer_id, version, details, asked_again`.execute(db);
  return rows[0];
}

/**
 * Runs `work` in a transaction that locks the customer's row, so that row and record change together. Each statement of
 * `work` sees what was committed before it. Returns undefined when there is no such customer.
 */
async function underLock<T>(
  db: Db,
  workspaceId: string,
  customerId: string,
  work: (trx: Db, rowVersion: number) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction().execute(async (trx) => {
    const customer = await trx
      .selectFrom('customer')
      .select('version')
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', customerId)
      .forUpdate()
      .executeTakeFirst();
    return customer && work(trx, customer.version);
  });
}
