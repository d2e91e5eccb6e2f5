import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables, WebhookKey } from '../schema.ts';
import { inOrderingQueue, orderingQueueOrder } from './ordering-sql.ts';

type Trx = Transaction<Tables>;

/** Locks the rows of lanes. Parking, releasing and adding ordered deliveries requires this lock. */
export async function lockLanes(trx: Trx, webhooks: readonly WebhookKey[]): Promise<void> {
  await sql`
    select webhook_id from lane
    where workspace_id = any(${webhooks.map(({ workspaceId }) => workspaceId)}::uuid[])
      and webhook_id = any(${webhooks.map(({ webhookId }) => webhookId)}::uuid[])
    order by webhook_id for update`.execute(trx);
}

/**
 * Makes the next delivery of each ordering key due. Call it in the transaction that has locked the lanes and finished
 * these deliveries. If the next one must wait for another one, it is parked again.
 */
export async function releaseNext(
  trx: Trx,
  finished: readonly (WebhookKey & { id: string; orderingKey: string | null })[],
): Promise<void> {
  const workspaceIds = finished.map((one) => one.workspaceId);
  const queue = { webhookId: sql`finished.webhook_id`, key: sql`finished.ordering_key` };
  await sql`
    with next as materialized (
      select (
        select open_delivery.id from open_delivery
        where open_delivery.workspace_id = finished.workspace_id
          and ${inOrderingQueue('open_delivery', queue, { after: sql`finished.id` })}
        order by ${orderingQueueOrder('open_delivery', 'asc')} limit 1) as id
      from unnest(
        ${finished.map((one) => one.id)}::uuid[],
        ${workspaceIds}::uuid[],
        ${finished.map((one) => one.webhookId)}::uuid[],
        ${finished.map((one) => one.orderingKey)}::text[]
      ) as finished (id, workspace_id, webhook_id, ordering_key)
    )
    update open_delivery set due_at = now()
    where workspace_id = any(${workspaceIds}::uuid[]) and id = any(array(select next.id from next))
      -- A comparison would use the index of due deliveries, with a search for each webhook.
      and not isfinite(due_at)`.execute(trx);
}

/** How many rows one statement changes, within its five seconds. */
const pageMax = 10_000;

/**
 * Makes all parked deliveries of a webhook without ordering due, in pages from the last one on. After an interruption,
 * the rest is still in order.
 */
export async function releaseAll(db: Kysely<Tables>, { workspaceId, webhookId }: WebhookKey): Promise<void> {
  const releasePage = (): Promise<bigint | undefined> =>
    db.transaction().execute(async (trx) => {
      await lockLanes(trx, [{ workspaceId, webhookId }]);
      const { numAffectedRows } = await sql`
        update open_delivery
        set ordering_key = null, due_at = case when due_at = 'infinity' then now() else due_at end
        where workspace_id = ${workspaceId} and id = any(array(
          select open_delivery.id from open_delivery
          join webhook on webhook.id = open_delivery.webhook_id
          where open_delivery.workspace_id = ${workspaceId} and webhook.workspace_id = ${workspaceId}
            and open_delivery.webhook_id = ${webhookId} and due_at <= 'infinity' and ordering_key is not null
            and webhook.ordering = 'none'
          order by due_at desc, open_delivery.id desc limit ${sql.lit(pageMax)}))`.execute(trx);
      return numAffectedRows;
    });
  while ((await releasePage()) === BigInt(pageMax));
}
