import { isUtf8 } from 'node:buffer';
import { tableOf, uuids } from '@parley/postgres/arrays';
import { reads } from '@parley/postgres/dialect';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import { insertFinished } from '../deliveries/finished-sql.ts';
import { lockLanes, orderingKey } from '../deliveries/ordering.ts';
import type { Db, EventTable, WebhookKey } from '../schema.ts';
import { inTransaction } from '@parley/postgres/transaction';

/** An incoming event. */
export type IncomingEvent = Pick<EventTable, 'id' | 'workspaceId' | 'customerId' | 'body' | 'traceparent'> & {
  completedAt: Date | null;
};

/**
 * Stores each event once, with a delivery for each webhook that listened at its completion. The delivery is skipped if
 * the webhook was inactive then or later. A redacted body that was stored before its event stays. Ids must differ.
 * Deliveries of an ordered webhook get ids in the order of completion. Returns the ids of webhooks with due deliveries.
 */
export async function storeEventsAndDeliveries(db: Db, events: readonly IncomingEvent[]): Promise<string[]> {
  const workspaceIds = uuids(events.map((event) => event.workspaceId));
  const given = tableOf('given', events, {
    id: ['uuid', (event) => event.id],
    workspaceId: ['uuid', (event) => event.workspaceId],
    customerId: ['text', (event) => event.customerId],
    body: ['bytea', (event) => storedBody(event.body)],
    traceparent: ['text', (event) => event.traceparent],
    completedAt: ['timestamptz', (event) => event.completedAt],
  });
  return inTransaction(db, async (trx) => {
    // A deactivation waits for this lock, then skips the deliveries that are added here.
    const { rows: webhooks } = await sql<WebhookKey & { isOrdered: boolean }>`
      select workspace_id, id as webhook_id, ordering <> 'none' as is_ordered from webhook
      where workspace_id = any(${workspaceIds}::uuid[]) and deleted_at is null
      order by id for share`.execute(trx);
    const { rows: taken } = await sql<{ id: string }>`
      insert into event (id, workspace_id, customer_id, body, traceparent, completed_at, received_at)
      select given.*, now() from ${given} order by id
      on conflict (id) do update
        set traceparent = excluded.traceparent, completed_at = excluded.completed_at, received_at = now()
        where event.received_at is null and event.workspace_id = excluded.workspace_id
      returning id`.execute(trx);
    // Under the lock of the lane, ids of an ordered webhook ascend.
    const ordered = webhooks.filter(({ isOrdered }) => isOrdered);
    if (ordered.length > 0) await lockLanes(trx, ordered);
    const skipped = sql`(
        select uuidv7() as id, workspace_id, webhook_id, event_id, 0 as attempts, is_redacted, now() as created_at
        from concerned where not is_to_deliver) as skipped`;
    const { rows } = await sql<{ webhookId: string }>`
      with concerned as materialized (
        select event.workspace_id, event.id as event_id, webhook.id as webhook_id, event.completed_at,
          is_active and (completed_at is null or ${sinceOf('active_since')} <= completed_at) as is_to_deliver,
          redacted_version is not null as is_redacted, ${orderingKey} as ordering_key
        from event join webhook on webhook.workspace_id = event.workspace_id
        where event.workspace_id = any(${workspaceIds}::uuid[])
          and event.id = any(${uuids(taken.map(({ id }) => id))}::uuid[])
          and webhook.id = any(${uuids(webhooks.map(({ webhookId }) => webhookId))}::uuid[])
          and (completed_at is null and listening_since is not null
            or ${sinceOf('listening_since')} <= completed_at or listened @> completed_at)
      ), opened as (
        insert into open_delivery (id, workspace_id, webhook_id, event_id, is_redacted, ordering_key)
        select uuidv7(), workspace_id, webhook_id, event_id, is_redacted, ordering_key
        from concerned where is_to_deliver order by completed_at, event_id
      ), skipped as (${insertFinished(skipped, sql`'skipped'`)}
      )
      select distinct webhook_id from concerned where is_to_deliver`.execute(trx);
    return rows.map((row) => row.webhookId);
  });
}

/** In milliseconds, like completions. An activation in the future, as after a clock was set back, counts as past. */
function sinceOf(column: string) {
  const since = sql.ref(column);
  return sql`case when ${since} > now() then '-infinity' else date_trunc('milliseconds', ${since}) end`;
}

/** Returns a body as UTF-8 without NUL: any other body would fail the read of all lanes. */
function storedBody(body: Buffer): Buffer {
  const isText = isUtf8(body) && !body.includes(0);
  return isText ? body : Buffer.from(body.toString().replaceAll('\0', ''));
}

/** Returns the ids without a received event, such as ids that are no UUIDs. */
export async function listMissingEvents(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${acrossWorkspaces('the reconciliation asks by ids of events')}
    select id from event
    where id = any(${ids.filter((id) => isUuid(id))}::uuid[]) and received_at is not null`.execute(reads(db));
  const stored = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !stored.has(id));
}

/**
 * Replaces the bodies of events, also of events that have not arrived, unless they were replaced for a later version of
 * the customer. Deletes the answers of receivers; `recordOutcomes` stores none from then on. Ids must differ.
 */
export async function replaceBodies(
  db: Db,
  owner: { workspaceId: string; customerId: string; customerVersion: number },
  bodies: readonly { eventId: string; body: Buffer }[],
): Promise<void> {
  const ids = bodies.map((one) => one.eventId);
  const given = tableOf('given', bodies, {
    id: ['uuid', (one) => one.eventId],
    body: ['bytea', (one) => storedBody(one.body)],
  });
  const { workspaceId, customerId, customerVersion } = owner;
  await db.transaction().execute(async (trx) => {
    await sql`
      insert into event (id, workspace_id, customer_id, body, redacted_version, put_at)
      select id, ${workspaceId}::uuid, ${customerId}, body, ${customerVersion}::int, now()
      from ${given} order by id
      on conflict (id) do update set body = excluded.body, redacted_version = excluded.redacted_version
        where event.workspace_id = excluded.workspace_id
          and coalesce(event.redacted_version, 0) <= excluded.redacted_version`.execute(trx);
    // Open deliveries first: the next statement finds one that has been finished since.
    await sql`
      update open_delivery set is_redacted = true
      from (
        select id from open_delivery
        where event_id = any(${ids}::uuid[]) and workspace_id = ${workspaceId} order by id for update
      ) as concerned
      where open_delivery.event_id = any(${ids}::uuid[]) and open_delivery.id = concerned.id
        and open_delivery.workspace_id = ${workspaceId}`.execute(trx);
    await sql`
      update finished_delivery set is_redacted = true, response_excerpt = null
      where event_id = any(${ids}::uuid[]) and workspace_id = ${workspaceId}`.execute(trx);
    await sql`
      update attempt set response_excerpt = null
      where workspace_id = ${workspaceId} and delivery_id = any(array(
        select id from delivery
        where event_id = any(${ids}::uuid[]) and workspace_id = ${workspaceId}))`.execute(trx);
  });
}
