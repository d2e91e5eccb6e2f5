import { webhookLimits } from '@parley/contracts/limits';
import { Recovery } from '@parley/contracts/webhook/v1/delivery';
import { fieldsOf } from '@parley/postgres/fields';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { RecoveryTable, Tables, WebhookKey } from '../schema.ts';
import { finishedIn } from './log-range-sql.ts';
import { holdActive, holdEvents, reopen } from './reopen-store.ts';

type Db = Kysely<Tables>;
type Trx = Transaction<Tables>;

/** How many deliveries of a recovery are made due at once, and how long after that the next ones are. */
const pageMax = 500;
const pagesApartSeconds = 1;
/** How long after a page that failed it is tried again. */
const failuresApartSeconds = 30;
const { daysKept } = webhookLimits;
const purgedMax = 1_000;

const fields = fieldsOf(Recovery);

/** What is to be made due; `until` null: all that there is by now. Undefined when the webhook is not active. */
export async function insertRecovery(
  db: Db,
  { workspaceId, webhookId, ...recovery }: WebhookKey & NewRecovery,
): Promise<Recovery | undefined> {
  // The end of the millisecond: instants are compared as they are shown.
  const now = sql<Date>`date_trunc('milliseconds', now()) + interval '1 millisecond'`;
  return db
    .insertInto('recovery')
    .columns(['id', 'workspaceId', 'webhookId', 'since', 'until', 'states', 'createdAt'])
    .expression((qb) =>
      qb
        .selectFrom('webhook')
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', webhookId)
        .where('isActive', '=', true)
        .select([
          sql<string>`${recovery.id}::uuid`.as('recoveryId'),
          'workspaceId',
          'id',
          sql<Date>`${recovery.since}::timestamptz`.as('since'),
          sql<Date>`coalesce(${recovery.until}::timestamptz, ${now})`.as('until'),
          sql<string[]>`${recovery.states}::text[]`.as('states'),
          // A webhook that was activated after the transaction began is not one that was deactivated since.
          sql<Date>`greatest(now(), active_since)`.as('createdAt'),
        ]),
    )
    .returning(fields)
    .executeTakeFirst();
}

interface NewRecovery {
  id: string;
  since: Date;
  until: Date | null;
  states: readonly string[];
}

/** Undefined when the webhook has none of this id, or it is no longer kept. */
export async function findRecovery(
  db: Db,
  { workspaceId, webhookId }: WebhookKey,
  id: string,
): Promise<Recovery | undefined> {
  return db
    .selectFrom('recovery')
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', webhookId)
    .where('id', '=', id)
    .select(fields)
    .executeTakeFirst();
}

/**
 * Makes the next page of one recovery due, and keeps how far it came: both or neither. Any number of copies may do so, each
 * with another recovery. Returns its webhook; undefined when none has a page to come just now. One whose page fails is put off before this rejects:
 * others go on.
 */
export async function recoverPage(db: Db): Promise<string | undefined> {
  let taken: Selectable<RecoveryTable> | undefined;
  const page = db.transaction().execute(async (trx) => {
    taken = await takeRecovery(trx);
    if (taken) await recoverNext(trx, taken);
    return taken?.webhookId;
  });
  return page.catch(async (cause: unknown) => {
    // Where this fails too, it is the database that is away, and nothing else goes on either.
    if (taken) await putOff(db, taken).catch(() => undefined);
    throw cause;
  });
}

async function recoverNext(trx: Trx, recovery: Selectable<RecoveryTable>): Promise<void> {
  const activeSince = await holdActive(trx, recovery);
  if (!activeSince || activeSince > recovery.createdAt) {
    return advance(trx, recovery, { state: 'stopped' });
  }
  const page = await nextOf(trx, recovery);
  const last = page.at(-1);
  const recovered = await recover(trx, recovery, page);
  await advance(trx, recovery, {
    state: page.length < pageMax ? 'done' : 'running',
    recovered: recovery.recovered + recovered,
    ...(last && { place: last.id }),
  });
}

async function putOff(db: Db, { id, workspaceId }: Selectable<RecoveryTable>): Promise<void> {
  await db
    .updateTable('recovery')
    .set({ nextAt: sql<Date>`now() + make_interval(secs => ${failuresApartSeconds})` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

/** The one whose turn it is, and nobody else's until the transaction ends. */
async function takeRecovery(trx: Trx): Promise<Selectable<RecoveryTable> | undefined> {
  const { rows } = await sql<Selectable<RecoveryTable>>`
    ${acrossWorkspaces('recoveries go on whosever they are')}
    select * from recovery where state = 'running' and next_at <= now()
    order by next_at limit 1 for update skip locked`.execute(trx);
  return rows[0];
}

interface Finished {
  id: string;
  eventId: string;
  finishedAt: Date;
}

/** The next page of deliveries that it is about, oldest first. */
async function nextOf(trx: Trx, recovery: Selectable<RecoveryTable>): Promise<Finished[]> {
  const { workspaceId, states, place } = recovery;
  const range = { ...recovery, afterId: place, beforeId: null };
  const rowsMax = sql.raw(String(pageMax));
  const finishedAs = (state: 'failed' | 'skipped') => sql`
    select id, workspace_id, event_id, finished_at from finished_delivery
    where ${finishedIn(range, state)} and ${sql.lit(state)} = any(${states}::text[])
    order by webhook_id, state, id limit ${rowsMax}`;
  const { rows } = await sql<Finished>`
    ${acrossWorkspaces('rows of a webhook are found by it alone, and left out when they are of another workspace')}
    with failed as materialized (${finishedAs('failed')}), skipped as materialized (${finishedAs('skipped')}),
    either as (select * from failed union all select * from skipped),
    found as (select * from either order by id limit ${rowsMax})
    select id, event_id, finished_at from found where workspace_id = ${workspaceId} order by id`.execute(trx);
  return rows;
}

/** Answers how many were made due: not those whose event is no longer kept, nor what somebody else was faster with. */
async function recover(trx: Trx, webhook: WebhookKey, page: readonly Finished[]): Promise<number> {
  const events = await holdEvents(
    trx,
    webhook.workspaceId,
    page.map((one) => one.eventId),
  );
  const kept = page.filter((one) => events.has(one.eventId));
  if (kept.length === 0) return 0;
  const finishedMs = kept.map((one) => one.finishedAt.getTime());
  return reopen(
    trx,
    webhook,
    kept.map((one) => one.id),
    { from: new Date(Math.min(...finishedMs)), to: new Date(Math.max(...finishedMs)) },
  );
}

async function advance(
  trx: Trx,
  { id, workspaceId }: Selectable<RecoveryTable>,
  change: Partial<Pick<Selectable<RecoveryTable>, 'state' | 'recovered' | 'place'>>,
): Promise<void> {
  await trx
    .updateTable('recovery')
    .set({
      ...change,
      finishedAt: change.state === 'running' ? null : sql<Date>`now()`,
      nextAt: sql<Date>`now() + make_interval(secs => ${pagesApartSeconds})`,
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a page of recoveries that ended and were asked for 30 days ago. True when there may be more. */
export async function purgeRecoveries(db: Db): Promise<boolean> {
  const { numAffectedRows } = await sql`
    ${acrossWorkspaces('a purge by age')}
    delete from recovery where id = any(array(
      select id from recovery
      where created_at < now() - ${daysKept} * interval '1 day' and state <> 'running'
      order by created_at limit ${sql.lit(purgedMax)} for update skip locked))`.execute(db);
  return numAffectedRows === BigInt(purgedMax);
}
