import type { Delivery } from '@parley/contracts/webhook/v1/delivery';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables, WebhookKey } from '../schema.ts';
import { findDelivery } from './log-store.ts';
import { lockLanes } from '../deliveries/ordering-store.ts';
import { holdActive, holdEvents, reopen } from './reopen-store.ts';

/** Why a delivery cannot be made due. */
export type RetryRefusal = 'webhook-inactive' | 'delivery-under-way' | 'event-expired';

/**
 * Makes a delivery due now: one that waits need wait no longer, one that is finished is open again. The same again does
 * nothing. Undefined when the webhook has no such delivery.
 */
export async function retryDelivery(
  db: Kysely<Tables>,
  webhook: WebhookKey,
  id: string,
): Promise<Delivery | RetryRefusal | undefined> {
  return db.transaction().execute(async (trx) => {
    const found = await findDelivery(trx, webhook, id);
    if (!found) return undefined;
    if (!(await holdActive(trx, webhook))) return 'webhook-inactive';
    const events = await holdEvents(trx, webhook.workspaceId, [found.eventId]);
    if (!events.has(found.eventId)) return 'event-expired';
    await lockLanes(trx, [webhook]);
    const isDue = (await hasten(trx, webhook, id)) || (await reopenOne(trx, webhook, id));
    const delivery = await findDelivery(trx, webhook, id);
    return isDue || !delivery ? delivery : 'delivery-under-way';
  });
}

/** False when it is not open, or under way. */
async function hasten(trx: Transaction<Tables>, webhook: WebhookKey, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update open_delivery set due_at = case when due_at > clock_timestamp() then now() else due_at end
    where workspace_id = ${webhook.workspaceId} and webhook_id = ${webhook.webhookId} and id = ${id}
      and held_by is null`.execute(trx);
  return numAffectedRows === 1n;
}

/** False when it is not finished. */
async function reopenOne(trx: Transaction<Tables>, webhook: WebhookKey, id: string): Promise<boolean> {
  const finishedAt = (await findDelivery(trx, webhook, id))?.finishedAt;
  if (!finishedAt) return false;
  return (await reopen(trx, webhook, [id], { from: finishedAt, to: finishedAt })) === 1;
}
