import { type RawBuilder, sql } from 'kysely';

/**
 * SQL for the ordering key of a delivery, of the aliases that a statement has for its webhook and its event: the id of the
 * customer, one for all, or null when the webhook is not ordered.
 */
export function orderingKey(webhook: string, event: string): RawBuilder<string | null> {
  return sql`case ${sql.ref(webhook)}.ordering
    when 'perCustomer' then ${sql.ref(event)}.customer_id when 'strict' then '' end`;
}

/**
 * SQL that is true for the deliveries (of the alias) of this webhook and ordering key, with ids between these. To be used
 * with `lineOrder`. Compared as rows that begin with the key: no index but `open_delivery_ordered` has it, so the planner
 * takes no other.
 */
export function inLine(
  delivery: string,
  line: { webhookId: RawBuilder<unknown>; key: RawBuilder<unknown> },
  between: { after?: RawBuilder<unknown>; before?: RawBuilder<unknown> },
): RawBuilder<boolean> {
  const {
    after = sql`'00000000-0000-0000-0000-000000000000'`,
    before = sql`'ffffffff-ffff-ffff-ffff-ffffffffffff'`,
  } = between;
  const place = sql`(${sql.ref(delivery)}.ordering_key, ${sql.ref(delivery)}.webhook_id, ${sql.ref(delivery)}.id)`;
  return sql`${sql.ref(delivery)}.ordering_key is not null
    and ${place} > (${line.key}, ${line.webhookId}, ${after}::uuid)
    and ${place} < (${line.key}, ${line.webhookId}, ${before}::uuid)`;
}

/** The order of deliveries with one key, from the first or the last. */
export function lineOrder(delivery: string, direction: 'asc' | 'desc'): RawBuilder<unknown> {
  const [alias, from] = [sql.ref(delivery), sql.raw(direction)];
  return sql`${alias}.ordering_key ${from}, ${alias}.webhook_id ${from}, ${alias}.id ${from}`;
}

/** SQL that is true for a delivery (of the alias) that has to wait for an earlier one with its key. */
export function hasEarlierInLine(delivery: string): RawBuilder<boolean> {
  const of = sql.ref(delivery);
  const line = { webhookId: sql`${of}.webhook_id`, key: sql`${of}.ordering_key` };
  // Not `exists`, of which the planner drops the order and the limit.
  return sql`(
      select earlier.id from open_delivery as earlier
      where earlier.workspace_id = ${of}.workspace_id and ${inLine('earlier', line, { before: sql`${of}.id` })}
      order by ${lineOrder('earlier', 'desc')} limit 1) is not null`;
}
