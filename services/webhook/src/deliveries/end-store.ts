import { webhookDeactivated } from '@parley/contracts/events';
import { insertEvents, newEvent } from '@parley/events/log';
import { type RawBuilder, sql } from 'kysely';
import { type Db, ofWebhook, type Trx, type WebhookKey } from '../schema.ts';
import { insertFinished } from './finished-sql.ts';
import { lockLanes, pageMax } from './ordering.ts';

/**
 * Finishes a page of the open deliveries of inactive webhooks in this state, also deliveries in flight. The lane's
 * owner ends the rest (`endPageOfRest`). Call it in the transaction that deactivated the webhooks, after that
 * statement: intake locks webhooks while it adds deliveries, so this sees all of them.
 */
export async function endOpen(
  trx: Trx,
  webhooks: readonly WebhookKey[],
  state: 'skipped' | 'discarded',
  rowsMax = pageMax,
): Promise<void> {
  // A statement of its own: the next ones see what other transactions wrote before they released these locks.
  await lockLanes(trx, webhooks);
  for (const webhook of webhooks) {
    await sql`update lane set revision = revision + 1 where ${ofWebhook(webhook)}`.execute(trx);
    await endPage(trx, webhook, state, rowsMax);
  }
}

/**
 * Ends a page of the deliveries that `endOpen` has left of an inactive webhook. Returns true if there are more. Other
 * replicas may end the same page at the same time.
 */
export function endPageOfRest(db: Db, webhook: WebhookKey): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // Activation ends the rest first, and waits for this lock.
    const { rows } = await sql<{ state: string }>`
      select case when deleted_at is null then 'skipped' else 'discarded' end as state from webhook
      where workspace_id = ${webhook.workspaceId} and id = ${webhook.webhookId} and not is_active
      for share`.execute(trx);
    const [ended] = rows;
    if (!ended) return false;
    await endPage(trx, webhook, ended.state, pageMax);
    const left = await sql`
      select id from open_delivery where ${ofWebhook(webhook)} and due_at <= 'infinity'
      order by due_at limit 1`.execute(trx);
    return left.rows.length > 0;
  });
}

async function endPage(trx: Trx, webhook: WebhookKey, state: string, rowsMax: number): Promise<void> {
  await sql`
    with ended as (
      delete from open_delivery
      where ${ofWebhook(webhook)} and id = any(array(
        select id from open_delivery where ${ofWebhook(webhook)} and due_at <= 'infinity'
        order by due_at limit ${rowsMax}))
      returning *
    )
    ${insertFinished(sql`ended`, sql`${state}`)}`.execute(trx);
}

/**
 * Deactivates a webhook that has failed for days, unless its lane has another revision. Skips its open deliveries.
 * Later events are stored as skipped deliveries. Returns whether it was active.
 */
export async function disableFailing(
  db: Db,
  { workspaceId, webhookId, revision }: WebhookKey & { revision: number },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { numAffectedRows } = await sql`
      update webhook set is_active = false, active_since = null, inactive_reason = 'auto', version = version + 1
      where id = ${webhookId} and workspace_id = ${workspaceId} and is_active and exists (
        select from lane
        where lane.webhook_id = webhook.id and lane.workspace_id = webhook.workspace_id
          and lane.revision = ${revision})`.execute(trx);
    if (!numAffectedRows) return false;
    await endOpen(trx, [{ workspaceId, webhookId }], 'skipped');
    await insertEvents(trx, [newEvent(webhookDeactivated, { workspaceId, webhookId, reason: 'auto' })]);
    return true;
  });
}

/**
 * Deactivates the webhooks of these deliveries, if open, since their receivers answered 410. Returns the webhooks that
 * were active.
 */
export async function deactivateGone(
  trx: Trx,
  gone: readonly (Pick<WebhookKey, 'workspaceId'> & { id: string })[],
): Promise<WebhookKey[]> {
  const workspaceIds = gone.map(({ workspaceId }) => workspaceId);
  const { rows } = await sql<WebhookKey>`
    with concerned as materialized (
      select id from webhook
      where workspace_id = any(${workspaceIds}::uuid[]) and is_active and id = any(array(
        select open_delivery.webhook_id from open_delivery
        where open_delivery.workspace_id = any(${workspaceIds}::uuid[])
          and open_delivery.id = any(${gone.map(({ id }) => id)}::uuid[])))
      order by id for update
    )
    update webhook set is_active = false, active_since = null, inactive_reason = 'gone', version = version + 1,
      listening_since = null, listened = ${listenedUntilNow}
    where workspace_id = any(${workspaceIds}::uuid[]) and id = any(array(select concerned.id from concerned))
    returning workspace_id, id as webhook_id`.execute(trx);
  const events = rows.map((webhook) => newEvent(webhookDeactivated, { ...webhook, reason: 'gone' }));
  await insertEvents(trx, events);
  return rows;
}

// A webhook listens from its activation until a caller deactivates it, or its receiver answers 410. Events of that time
// become its deliveries, whenever they arrive. A webhook that was deactivated because it failed still listens: its
// deliveries are skipped. Events have times in milliseconds. The range includes the millisecond in which it ends.

/** Limit of separate ranges. Beyond it, the ranges are merged. */
const rangesMax = 100;

/** The new `listened` of a row of `webhook` that stops listening now. */
export const listenedUntilNow: RawBuilder<string> = sql`
  case when (select count(*) from unnest(listened)) < ${sql.lit(rangesMax)} then listened
    else tstzmultirange(range_merge(listened)) end
  + tstzmultirange(tstzrange(date_trunc('milliseconds', listening_since), greatest(listening_since, now())))`;
