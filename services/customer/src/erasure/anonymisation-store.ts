import { customerAnonymised, customerDeleted } from '@parley/contracts/events';
import { insertEvents, newEvent } from '@parley/events/log';
import { Customer } from '@parley/contracts/customer/v1/customer';
import { detailNames, noDetails } from '@parley/contracts/customer-details';
import { claimDue } from '@parley/postgres/due-work';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { inTransaction } from '@parley/postgres/connecting/transaction';
import { requireUnchanged, unavailable } from '@parley/runtime/errors';
import { type Kysely, type Selectable, sql } from 'kysely';
import { auditCustomer } from '../auditing.ts';
import type { Sign } from './erasure-keys.ts';
import { insertFinished, removedColumns } from './erasure-store.ts';
import type { AnonymisationTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;

/** What a call needs to wait for the runs that began after it. */
export type Begun = Pick<Selectable<AnonymisationTable>, 'erasureId' | 'version' | 'askedAgain'> &
  CustomerKey;

export type ClaimedPage = Pick<
  Selectable<AnonymisationTable>,
  'kind' | 'erasureId' | 'version' | 'firstVersion' | 'details' | 'pageToken'
> &
  CustomerKey;

interface RemovedOnPage {
  interactions: number;
  events: number;
}

export interface CustomerKey {
  workspaceId: string;
  customerId: string;
}

const ofAll = acrossWorkspaces('workspaces take turns');

/** Another process claims a page again after this time: its claimant has failed or died. */
const leaseSeconds = 5;

/**
 * Clears the customer's row and stored answers, and records the details that other stores must remove: these, and the
 * details of an unfinished anonymisation. If there is one, the call joins its erasure, which keeps its `requestedBy`.
 * If the row has no new details, the version stays and `askedAgain` is set: another run follows the current one.
 * Otherwise the run of the new version replaces the current one. Returns undefined when there is no such customer.
 * ABORTED when its version is not `ifVersion`. UNAVAILABLE while an earlier customer of this id is being deleted.
 */
export async function beginAnonymisation(
  db: Db,
  workspaceId: string,
  customerId: string,
  { ifVersion, requestedBy }: { ifVersion: number | null; requestedBy: string },
): Promise<Begun | undefined> {
  // The answer to the creation, which differs in the personal details only.
  const answer = Customer.encode({ id: customerId, ...noDetails, version: 1 });
  const columns = sql.join(detailNames.map((column) => sql.ref(column)));
  const emptied = sql.join(detailNames.map((column) => sql`${sql.ref(column)} = ''`));
  return underLock(db, workspaceId, customerId, async (trx, rowVersion) => {
    requireUnchanged(rowVersion, ifVersion);
    await requireNoDeletion(trx, { workspaceId, customerId });
    const { rows } = await sql<Begun>`
      with person as (
        select workspace_id, id, array_remove(array[${columns}], '') as details
        from customer where workspace_id = ${workspaceId} and id = ${customerId}
      ), compared as (
        select person.*, details = '{}' and exists (
          select from anonymisation as earlier
          where earlier.workspace_id = person.workspace_id and earlier.customer_id = person.id) as asked_again
        from person
      ), cleared as (
        update customer set ${emptied}, version = version + (not asked_again)::int
        from compared where customer.workspace_id = compared.workspace_id and customer.id = compared.id
        returning customer.version, compared.details, compared.asked_again
      ), cleared_answers as (
        update idempotency_record set response = ${Buffer.from(answer.finish())}
        where workspace_id = ${workspaceId} and subject = ${customerId}
          -- Those of a deleted customer stay forgotten.
          and response is not null
      )
      insert into anonymisation as current
        (workspace_id, customer_id, requested_by, version, first_version, details, asked_again, removed_customers)
      select ${workspaceId}, ${customerId}, ${requestedBy}, version, version, details, asked_again,
        (details <> '{}')::int
      from cleared
      on conflict (workspace_id, customer_id) do update set
        version = excluded.version,
        details = array(select distinct unnest(current.details || excluded.details)),
        asked_again = excluded.asked_again,
        removed_customers = greatest(current.removed_customers, excluded.removed_customers),
        removed_interactions = case when excluded.asked_again then current.removed_interactions else 0 end,
        removed_events = case when excluded.asked_again then current.removed_events else 0 end,
        page_token = case when excluded.asked_again then current.page_token else '' end,
        due_at = case when excluded.asked_again then current.due_at else now() end
      returning workspace_id, customer_id, erasure_id, version, asked_again`.execute(trx);
    await auditCustomer(trx, workspaceId, customerId, 'customer.anonymised');
    return rows[0];
  });
}

/** Returns whether the runs that began after the call are done. */
export async function isAnonymised(
  db: Db,
  { workspaceId, customerId, erasureId, version, askedAgain }: Begun,
): Promise<boolean> {
  const unfinished = await db
    .selectFrom('anonymisation')
    .select('version')
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .where('erasureId', '=', erasureId)
    // The current run may have begun before the call.
    .where('finishedVersion', '<', version + Number(askedAgain))
    .executeTakeFirst();
  return unfinished === undefined;
}

/**
 * Claims a page of an unfinished anonymisation. Workspaces take turns, and so do the anonymisations of a workspace.
 * Returns undefined if no page is due. Costs the same however many wait.
 */
export async function claimPage(db: Db): Promise<ClaimedPage | undefined> {
  return inTransaction(db, async (trx) => {
    // The table is empty as a rule, and a plan from then would read all of it.
    await sql`${ofAll} select set_config('enable_seqscan', 'off', true)`.execute(trx);
    const [page] = await claimDue<ClaimedPage>(trx, ofAll, {
      table: 'anonymisation',
      isDue: sql`due_at <= now()`,
      orderBy: sql`turn, due_at`,
      limit: 1,
      set: sql`due_at = now() + make_interval(secs => ${leaseSeconds}), turn = next_turn(workspace_id)`,
      returning: sql`workspace_id, customer_id, kind, erasure_id, version, first_version, details, page_token`,
    });
    return page;
  });
}

/**
 * Records the last page of a run and ends the run: turns the job into a finished erasure with a receipt, or, if
 * another run was requested, gives customer and anonymisation a new version. Returns false if the page is recorded
 * already or its run replaced.
 */
export async function finishRun(
  db: Db,
  page: ClaimedPage,
  removed: RemovedOnPage,
  sign: Sign,
): Promise<boolean> {
  const { workspaceId, customerId } = page;
  const isFinished = await holdingCustomer(db, page, async (trx) => {
    if (!(await recordPage(trx, page, removed, page.pageToken))) return false;
    const done = await trx
      .deleteFrom('anonymisation')
      .where('workspaceId', '=', workspaceId)
      .where('customerId', '=', customerId)
      .where('askedAgain', '=', false)
      .returning([
        'erasureId as id',
        'workspaceId',
        'customerId',
        'kind',
        'requestedAt',
        'requestedBy',
        ...removedColumns,
      ])
      .executeTakeFirst();
    if (!done) {
      await beginNextRound(trx, page);
      return true;
    }
    await insertFinished(trx, done, sign);
    const type = done.kind === 'deletion' ? customerDeleted : customerAnonymised;
    await insertEvents(trx, [newEvent(type, { workspaceId, customerId })]);
    return true;
  });
  return isFinished ?? false;
}

async function beginNextRound(trx: Db, { workspaceId, customerId, version }: ClaimedPage): Promise<void> {
  await sql`
    with raised as (
      update customer set version = customer.version + 1 from anonymisation
      where customer.workspace_id = ${workspaceId} and customer.id = ${customerId}
        and anonymisation.workspace_id = ${workspaceId} and anonymisation.customer_id = ${customerId}
        and asked_again
      returning customer.version
    )
    update anonymisation set version = raised.version, finished_version = ${version}, asked_again = false,
      page_token = '', removed_interactions = 0, removed_events = 0 from raised
    where workspace_id = ${workspaceId} and customer_id = ${customerId}`.execute(trx);
}

/**
 * Records what a page has removed, and makes the next one due. Returns false, and changes nothing, if the page is
 * recorded already or its run replaced: so each page counts once, also after a crash.
 */
export async function recordPage(
  db: Db,
  { workspaceId, customerId, version, pageToken }: ClaimedPage,
  { interactions, events }: RemovedOnPage,
  nextPageToken: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('anonymisation')
    .set({
      pageToken: nextPageToken,
      removedInteractions: sql`removed_interactions + ${interactions}`,
      removedEvents: sql`removed_events + ${events}`,
      dueAt: sql`now()`,
    })
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .where('version', '=', version)
    .where('pageToken', '=', pageToken)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Throws UNAVAILABLE while an earlier customer of this id is being deleted. In a transaction that locks its row. */
export async function requireNoDeletion(trx: Db, { workspaceId, customerId }: CustomerKey): Promise<void> {
  const deletion = await trx
    .selectFrom('anonymisation')
    .select('erasureId')
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .where('kind', '=', 'deletion')
    .executeTakeFirst();
  if (deletion) throw unavailable(undefined, 'An earlier customer with this id is being deleted');
}

/** Runs the end of a run. A deletion has no customer to lock, and nothing else changes its job. */
function holdingCustomer<T>(
  db: Db,
  { kind, workspaceId, customerId }: ClaimedPage,
  work: (trx: Db) => Promise<T>,
): Promise<T | undefined> {
  return kind === 'deletion' ? db.transaction().execute(work) : underLock(db, workspaceId, customerId, work);
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
    const customer = await lockCustomer(trx, { workspaceId, customerId });
    return customer && work(trx, customer.version);
  });
}

/** Locks the row of a customer until the end of the transaction. Returns its version. Undefined without a row. */
export async function lockCustomer(
  trx: Db,
  { workspaceId, customerId }: CustomerKey,
): Promise<{ version: number } | undefined> {
  return trx
    .selectFrom('customer')
    .select('version')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', customerId)
    .forUpdate()
    .executeTakeFirst();
}
