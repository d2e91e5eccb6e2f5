import { tableOf } from '@parley/postgres/sql/arrays';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx, WebhookKey } from '../schema.ts';

/**
 * SQL for the ordering key of a delivery: the id of the customer, a constant, or null without ordering. `webhook` and
 * `event` are tables of the statement.
 */
export const orderingKey: RawBuilder<string | null> = sql`case webhook.ordering
    when 'perCustomer' then event.customer_id when 'strict' then '' end`;

/**
 * SQL for the id of the open delivery right before or after one (the alias) with the same ordering key; null if there
 * is none. The compared rows start with the key, as only the index `open_delivery_ordered` does, so the planner uses
 * it. Not `exists`: the planner would drop its order and limit.
 */
function neighbour(alias: string, side: 'before' | 'after'): RawBuilder<string | null> {
  const one = sql.ref(alias);
  const [least, most, order] =
    side === 'before'
      ? [sql`'00000000-0000-0000-0000-000000000000'`, sql`${one}.id`, sql`desc`]
      : [sql`${one}.id`, sql`'ffffffff-ffff-ffff-ffff-ffffffffffff'`, sql`asc`];
  const place = sql`(other.ordering_key, other.webhook_id, other.id)`;
  return sql`(
        select other.id from open_delivery as other
        where other.workspace_id = ${one}.workspace_id and other.ordering_key is not null
          and ${place} > (${one}.ordering_key, ${one}.webhook_id, ${least}::uuid)
          and ${place} < (${one}.ordering_key, ${one}.webhook_id, ${most}::uuid)
        order by other.ordering_key ${order}, other.webhook_id ${order}, other.id ${order} limit 1)`;
}

/** SQL that is true for an open delivery, of the alias `due`, that waits for an earlier one with its key. */
export const hasEarlierInQueue = sql<boolean>`
      due.ordering_key is not null and ${neighbour('due', 'before')} is not null`;

/**
 * Locks the rows of lanes. Parking, releasing and adding ordered deliveries requires this lock. Reopening does not: it
 * makes deliveries due.
 */
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
  deliveries: readonly (WebhookKey & { id: string; orderingKey: string | null })[],
): Promise<void> {
  const finished = tableOf('finished', deliveries, {
    id: ['uuid', (one) => one.id],
    workspaceId: ['uuid', (one) => one.workspaceId],
    webhookId: ['uuid', (one) => one.webhookId],
    orderingKey: ['text', (one) => one.orderingKey],
  });
  await sql`
    with next as materialized (select ${neighbour('finished', 'after')} as id from ${finished})
    update open_delivery set due_at = now()
    where workspace_id = any(${deliveries.map((one) => one.workspaceId)}::uuid[])
      and id = any(array(select next.id from next))
      -- A comparison would use the index of due deliveries, with a search for each webhook.
      and not isfinite(due_at)`.execute(trx);
}

/** Limit of deliveries per statement, so that it ends within the statement timeout of five seconds. */
export const pageMax = 10_000;

/**
 * Makes all parked deliveries of a webhook without ordering due, in pages from the last one on. After an interruption,
 * the rest is still in order.
 */
export async function releaseAll(db: Db, { workspaceId, webhookId }: WebhookKey): Promise<void> {
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
