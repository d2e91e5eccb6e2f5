import type { Delivery } from '@parley/contracts/webhook/v1/delivery';
import { currentTraceparent } from '@parley/runtime/telemetry';
import { type Kysely, sql } from 'kysely';
import { orderingKey } from '../deliveries/ordering-sql.ts';
import { lockLanes } from '../deliveries/ordering-store.ts';
import type { Tables, WebhookKey } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { findDelivery } from './log-store.ts';
import { holdActive } from './reopen-store.ts';

/**
 * An event for one webhook, which is delivered like any other. It is about no customer: '' is nobody's id, so no
 * anonymisation looks for it. Undefined when the webhook is not active.
 */
export async function addTestEvent(
  db: Kysely<Tables>,
  webhook: WebhookKey,
  event: { id: string; body: Buffer },
): Promise<Delivery | undefined> {
  const { workspaceId, webhookId } = webhook;
  return inTransaction(db, async (trx) => {
    if (!(await holdActive(trx, webhook))) return undefined;
    await trx
      .insertInto('event')
      .values({
        ...event,
        workspaceId,
        customerId: '',
        name: 'Test',
        traceparent: currentTraceparent() ?? null,
        completedAt: null,
        receivedAt: sql<Date>`now()`,
        redactedVersion: null,
      })
      .execute();
    // Ids of an ordered webhook are made under the lock of its lane: see takeEvents.
    await lockLanes(trx, [webhook]);
    const { rows } = await sql<{ id: string }>`
      insert into open_delivery (id, workspace_id, webhook_id, event_id, ordering_key)
      select uuidv7(), webhook.workspace_id, webhook.id, event.id, ${orderingKey('webhook', 'event')}
      from webhook join event on event.workspace_id = webhook.workspace_id
      where webhook.workspace_id = ${workspaceId} and webhook.id = ${webhookId} and event.id = ${event.id}
      returning id`.execute(trx);
    const [made] = rows;
    return made && findDelivery(trx, webhook, made.id);
  });
}
