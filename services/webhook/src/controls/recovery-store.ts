import { Recovery } from '@parley/contracts/webhook/v1/delivery';
import { reads } from '@parley/postgres/sql/dialect';
import { fieldsOf } from '@parley/postgres/sql/fields';
import { claimDue } from '@parley/postgres/due-work';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { AppError, notFound } from '@parley/runtime/errors';
import { type Selectable, sql, type UpdateObject } from 'kysely';
import { auditWebhook } from '../auditing.ts';
import { finishedIn } from '../log/log-range-sql.ts';
import { type Db, ofWebhook, type RecoveryTable, type Tables, type Trx, type WebhookKey } from '../schema.ts';
import { lockActive, lockEvents, refused, reopen } from './controls-store.ts';

/** How many deliveries a recovery makes due per second. */
const pageMax = 500;

const fields = sql.join(fieldsOf(Recovery).map((field) => sql.ref(field)));

/** All replicas make the recoveries due one page after another, so their number delays the recoveries of others. */
export const recoveriesPerWorkspaceMax = 20;

export const recoverableStates = ['failed', 'skipped'] as const;

type NewRecovery = WebhookKey & Pick<Recovery, 'id' | 'since' | 'until' | 'states'>;

/** Starts a recovery. `until` null means now. Throws `webhook-inactive`, and `too-many-recoveries`. */
export async function insertRecovery(trx: Trx, recovery: NewRecovery): Promise<Recovery> {
  const { id, workspaceId, webhookId, since, until, states } = recovery;
  const { running } = await trx
    .selectFrom('recovery')
    .select(sql<number>`count(*)`.as('running'))
    .where('workspaceId', '=', workspaceId)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow();
  if (running >= recoveriesPerWorkspaceMax) {
    const message = `The workspace has ${recoveriesPerWorkspaceMax} running recoveries, the maximum`;
    throw new AppError('failed_precondition', 'too-many-recoveries', message);
  }
  // Instants are compared in milliseconds. The webhook may have been activated after the transaction began.
  const { rows } = await sql<Recovery>`
    insert into recovery (id, workspace_id, webhook_id, since, until, states, created_at)
    select ${id}::uuid, workspace_id, id, ${since}::timestamptz,
      coalesce(${until}::timestamptz, date_trunc('milliseconds', now()) + interval '1 millisecond'), ${states}::text[],
      greatest(now(), active_since)
    from webhook where workspace_id = ${workspaceId} and id = ${webhookId} and is_active
    returning ${fields}`.execute(trx);
  if (!rows[0]) throw refused('webhook-inactive');
  await auditWebhook(trx, { workspaceId, id: webhookId }, 'recovery.started', {
    others: [{ type: 'recovery', id }],
  });
  return rows[0];
}

/** Throws NOT_FOUND if the webhook has no recovery of this id, or it is no longer stored. */
export async function findRecovery(db: Db, webhook: WebhookKey, id: string): Promise<Recovery> {
  const { rows } = await sql<Recovery>`
    select ${fields} from recovery where ${ofWebhook(webhook)} and id = ${id}`.execute(reads(db));
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** Newest first. `before`: only recoveries in front of this one. */
export async function listRecoveries(
  db: Db,
  webhook: WebhookKey,
  before: string | null,
  limit: number,
): Promise<Recovery[]> {
  const { rows } = await sql<Recovery>`
    select ${fields} from recovery
    where ${ofWebhook(webhook)} and (${before}::uuid is null or id < ${before}::uuid)
    order by id desc limit ${limit}::int`.execute(reads(db));
  return rows;
}

/**
 * Makes the next page of one recovery due, in one transaction with its progress. Any number of replicas may call it.
 * Returns the id of the webhook; undefined if no recovery is due. A page that fails is retried after ten seconds.
 */
export async function recoverPage(db: Db): Promise<string | undefined> {
  const ofAll = acrossWorkspaces('recoveries of all workspaces continue');
  const [recovery] = await claimDue<Selectable<RecoveryTable>>(db, ofAll, {
    table: 'recovery',
    isDue: sql`state = 'running' and next_at <= now()`,
    orderBy: sql`next_at`,
    limit: 1,
    set: sql`next_at = now() + interval '10 seconds'`,
    returning: sql`*`,
  });
  if (!recovery) return undefined;
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('recovery')
      .set({ nextAt: sql<Date>`now() + interval '1 second'`, ...(await recoverNext(trx, recovery)) })
      .where('workspaceId', '=', recovery.workspaceId)
      .where('id', '=', recovery.id)
      // Another replica has recovered this page if it took longer than ten seconds.
      .where('place', 'is not distinct from', recovery.place)
      .execute();
  });
  return recovery.webhookId;
}

/** Recovers a page. Returns the changes of the recovery. */
async function recoverNext(
  trx: Trx,
  recovery: Selectable<RecoveryTable>,
): Promise<UpdateObject<Tables, 'recovery'>> {
  const activeSince = await lockActive(trx, recovery);
  const finishedAt = sql<Date>`now()`;
  if (!activeSince || activeSince > recovery.createdAt) return { state: 'stopped', finishedAt };
  const page = await nextOf(trx, recovery);
  const eventIds = page.map(({ eventId }) => eventId);
  const events = await lockEvents(trx, recovery.workspaceId, eventIds);
  const ids = page.flatMap(({ id, eventId }) => (events.has(eventId) ? [id] : []));
  const recovered = recovery.recovered + (await reopen(trx, recovery, ids));
  const isDone = page.length < pageMax;
  return {
    recovered,
    place: page.at(-1)?.id ?? recovery.place,
    ...(isDone && { state: 'done', finishedAt }),
  };
}

/** Oldest first. */
async function nextOf(
  trx: Trx,
  recovery: Selectable<RecoveryTable>,
): Promise<{ id: string; eventId: string }[]> {
  const range = { ...recovery, afterId: recovery.place };
  const columns = sql`id, workspace_id, event_id`;
  const ofStates = recoverableStates.map((state) =>
    finishedIn(range, state, { columns, order: 'asc', rowsMax: pageMax }),
  );
  const { rows } = await sql<{ id: string; eventId: string }>`
    ${acrossWorkspaces('rows are found by webhook; others are left out')}
    with found as (
      ${sql.join(ofStates, sql` union all `)} order by id limit ${sql.lit(pageMax)}
    )
    select id, event_id from found where workspace_id = ${recovery.workspaceId} order by id`.execute(trx);
  return rows;
}
