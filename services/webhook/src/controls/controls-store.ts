import { webhookLimits } from '@parley/contracts/limits';
import type { Delivery } from '@parley/contracts/webhook/v1/delivery';
import { AppError } from '@parley/runtime/errors';
import { currentTraceparent } from '@parley/runtime/telemetry/telemetry';
import { sql } from 'kysely';
import { auditWebhook } from '../auditing.ts';
import { attemptColumns, attemptNumber } from '../deliveries/finished-sql.ts';
import { lockLanes, orderingKey } from '../deliveries/ordering.ts';
import { findDelivery, isFinished } from '../log/log-store.ts';
import { currentWanted } from '../subscriptions/subscription-store.ts';
import { type Db, ofWebhook, type Trx, type WebhookKey } from '../schema.ts';
import { inTransaction } from '@parley/postgres/connecting/transaction';

// The transactions here lock in this order, which avoids deadlocks: webhook, events, lane, deliveries.

const { daysKept } = webhookLimits;

const refusals = {
  'webhook-inactive': 'The webhook is not active',
  'delivery-under-way': 'An attempt of this delivery is in progress',
  'event-expired': 'The event of this delivery has been deleted',
  'event-filtered': 'The filter of the webhook is false for the test event, or fails',
};

/** FAILED_PRECONDITION: the control does not apply now. */
export function refused(type: keyof typeof refusals): AppError {
  return new AppError('failed_precondition', type, refusals[type]);
}

/** Locks an active webhook against changes. Returns its `activeSince`; undefined if it is inactive. */
export async function lockActive(
  trx: Trx,
  { workspaceId, webhookId }: WebhookKey,
): Promise<Date | undefined> {
  const { rows } = await sql<{ activeSince: Date }>`
    select active_since from webhook where workspace_id = ${workspaceId} and id = ${webhookId} and is_active
    for share`.execute(trx);
  return rows[0]?.activeSince;
}

/** Locks events against purging, redaction and removal. Returns the ids of the events that have a body. */
export async function lockEvents(
  trx: Trx,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from event
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and octet_length(data) > 0
    order by id for share`.execute(trx);
  return new Set(rows.map((row) => row.id));
}

/**
 * Reopens finished deliveries and makes them due now. They keep their ids, attempts and ages. The caller has locked
 * their webhook and events. Returns how many were finished.
 */
export async function reopen(trx: Trx, webhook: WebhookKey, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    with taken as (
      delete from finished_delivery where ${isFinished(webhook, ids)}
      returning *
    ), logged as (
      -- Only the last thirty days have partitions.
      insert into attempt (delivery_id, number, workspace_id, recorded_at, ${attemptColumns})
      select id, ${attemptNumber}, workspace_id,
        greatest(finished_at, now() - ${sql.lit(daysKept - 1)} * interval '1 day'), ${attemptColumns}
      from taken where started_at is not null
    )
    insert into open_delivery
      (id, workspace_id, webhook_id, event_id, attempts, manual_attempts, is_redacted, is_enveloped, created_at,
        ordering_key)
    select id, workspace_id, webhook_id, event_id, attempts, manual_attempts, is_redacted, is_enveloped, created_at, (
      select ${orderingKey} from webhook
      join event on event.id = taken.event_id and event.workspace_id = taken.workspace_id
      where webhook.id = taken.webhook_id and webhook.workspace_id = taken.workspace_id)
    from taken`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/**
 * Makes a delivery due now, and reopens a finished one. The time of the next planned attempt stays. Throws NOT_FOUND,
 * or any of the refusals.
 */
export async function retryDelivery(db: Db, webhook: WebhookKey, id: string): Promise<Delivery> {
  return db.transaction().execute(async (trx) => {
    const { eventId } = await findDelivery(trx, webhook, id);
    if (!(await lockActive(trx, webhook))) throw refused('webhook-inactive');
    const events = await lockEvents(trx, webhook.workspaceId, [eventId]);
    if (!events.has(eventId)) throw refused('event-expired');
    await lockLanes(trx, [webhook]);
    const { rows: open } = await sql<{ waits: boolean }>`
      select due_at > clock_timestamp() as waits from open_delivery
      where ${ofWebhook(webhook)} and id = ${id} and claimed_by is null for update`.execute(trx);
    const waits = open.some((one) => one.waits);
    if (waits) {
      await sql`
        update open_delivery set due_at = now(),
          planned_at = greatest(planned_at, nullif(due_at, 'infinity')) where ${ofWebhook(webhook)} and id = ${id}`.execute(
        trx,
      );
    }
    const isReopened = open.length === 0 && (await reopen(trx, webhook, [id])) === 1;
    const delivery = await findDelivery(trx, webhook, id);
    if (open.length === 0 && !isReopened) throw refused('delivery-under-way');
    if (waits || isReopened) {
      const of = { workspaceId: webhook.workspaceId, id: webhook.webhookId };
      await auditWebhook(trx, of, 'delivery.retried', { others: [{ type: 'delivery', id }] });
    }
    return delivery;
  });
}

export interface TestEvent {
  id: string;
  name: string;
  data: object;
  result: { evaluation?: Record<string, string> } | null;
}

/** Throws `webhook-inactive`. */
export async function addTestEvent(db: Db, webhook: WebhookKey, event: TestEvent): Promise<Delivery> {
  const { workspaceId, webhookId } = webhook;
  const traceparent = currentTraceparent() ?? null;
  return inTransaction(db, async (trx) => {
    if (!(await lockActive(trx, webhook))) throw refused('webhook-inactive');
    const { isEnveloped } = await currentWanted(trx, webhook);
    await sql`
      insert into event (id, workspace_id, name, about, customer_id, status, data, extra, result, is_test, traceparent)
      values (${event.id}, ${workspaceId}, ${event.name}, '', '', '', ${Buffer.from(JSON.stringify(event.data))}, '{}',
        ${event.result && Buffer.from(JSON.stringify(event.result))}, true, ${traceparent})`.execute(trx);
    // Under the lock of the lane, ids of an ordered webhook ascend.
    await lockLanes(trx, [webhook]);
    const { rows } = await sql<{ id: string }>`
      insert into open_delivery (id, workspace_id, webhook_id, event_id, ordering_key, is_enveloped)
      select uuidv7(), webhook.workspace_id, webhook.id, event.id, ${orderingKey}, ${isEnveloped}
      from webhook join event on event.workspace_id = webhook.workspace_id
      where webhook.workspace_id = ${workspaceId} and webhook.id = ${webhookId} and event.id = ${event.id}
      returning id`.execute(trx);
    await auditWebhook(trx, { workspaceId, id: webhookId }, 'webhook.tested', {
      others: [{ type: 'event', id: event.id }],
    });
    return findDelivery(trx, webhook, rows[0]?.id ?? '');
  });
}
