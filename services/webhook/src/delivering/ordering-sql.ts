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
 * SQL that is true for the deliveries (of the alias) that wait in one line: of this webhook and key, with ids between
 * these. To be used with `lineOrder`. Compared as rows, since then no index but `open_delivery_ordered` has that order, and
 * the planner cannot take another one when nearly all rows happen to be of one key.
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
  const place = sql`(${sql.ref(delivery)}.webhook_id, ${sql.ref(delivery)}.ordering_key, ${sql.ref(delivery)}.id)`;
  return sql`${sql.ref(delivery)}.ordering_key is not null
    and ${place} > (${line.webhookId}, ${line.key}, ${after}::uuid)
    and ${place} < (${line.webhookId}, ${line.key}, ${before}::uuid)`;
}

/** The order of a line, from its first or its last. */
export function lineOrder(delivery: string, direction: 'asc' | 'desc'): RawBuilder<unknown> {
  const [alias, from] = [sql.ref(delivery), sql.raw(direction)];
  return sql`${alias}.webhook_id ${from}, ${alias}.ordering_key ${from}, ${alias}.id ${from}`;
}
