import { type RawBuilder, sql } from 'kysely';

/**
 * SQL for the ordering key of a delivery: the id of the customer, the same for all, or null without ordering. `webhook`
 * and `event` are aliases of the statement.
 */
export function orderingKey(webhook: string, event: string): RawBuilder<string | null> {
  return sql`case ${sql.ref(webhook)}.ordering
    when 'perCustomer' then ${sql.ref(event)}.customer_id when 'strict' then '' end`;
}

/**
 * SQL that is true for the deliveries (of the alias) of this webhook and ordering key, with ids between these. Use it
 * with `orderingQueueOrder`. The compared rows start with the key, as only the index `open_delivery_ordered` does, so
 * the planner uses it.
 */
export function inOrderingQueue(
  delivery: string,
  queue: { webhookId: RawBuilder<unknown>; key: RawBuilder<unknown> },
  between: { after?: RawBuilder<unknown>; before?: RawBuilder<unknown> },
): RawBuilder<boolean> {
  const {
    after = sql`'00000000-0000-0000-0000-000000000000'`,
    before = sql`'ffffffff-ffff-ffff-ffff-ffffffffffff'`,
  } = between;
  const place = sql`(${sql.ref(delivery)}.ordering_key, ${sql.ref(delivery)}.webhook_id, ${sql.ref(delivery)}.id)`;
  return sql`${sql.ref(delivery)}.ordering_key is not null
    and ${place} > (${queue.key}, ${queue.webhookId}, ${after}::uuid)
    and ${place} < (${queue.key}, ${queue.webhookId}, ${before}::uuid)`;
}

/** SQL for the order of the deliveries of one key. */
export function orderingQueueOrder(delivery: string, direction: 'asc' | 'desc'): RawBuilder<unknown> {
  const [alias, from] = [sql.ref(delivery), sql.raw(direction)];
  return sql`${alias}.ordering_key ${from}, ${alias}.webhook_id ${from}, ${alias}.id ${from}`;
}

/** SQL that is true for a delivery (of the alias) that waits for an earlier one with its key. */
export function hasEarlierInQueue(delivery: string): RawBuilder<boolean> {
  const of = sql.ref(delivery);
  const queue = { webhookId: sql`${of}.webhook_id`, key: sql`${of}.ordering_key` };
  // Not `exists`: the planner would drop its order and limit.
  return sql`(
      select earlier.id from open_delivery as earlier
      where earlier.workspace_id = ${of}.workspace_id and ${inOrderingQueue('earlier', queue, { before: sql`${of}.id` })}
      order by ${orderingQueueOrder('earlier', 'desc')} limit 1) is not null`;
}
