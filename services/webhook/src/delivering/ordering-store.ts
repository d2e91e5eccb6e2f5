import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../schema.ts';
import { readiedAt } from './lane-ready-sql.ts';
import { inLine, lineOrder } from './ordering-sql.ts';

type Trx = Transaction<Tables>;

/**
 * Makes due what waited for these deliveries: of each ordering key the next one. To be called in the transaction that has
 * settled them, after that statement: it holds their lanes, so whatever waits is seen here, and nobody can begin to wait.
 * What still waits for another one, a claim puts off again. Answers the webhooks that can be served at once because of it.
 */
export async function releaseNext(
  trx: Trx,
  settled: readonly { id: string; workspaceId: string; webhookId: string; orderingKey: string }[],
): Promise<Set<string>> {
  const workspaceIds = settled.map((one) => one.workspaceId);
  const line = { webhookId: sql`settled.webhook_id`, key: sql`settled.ordering_key` };
  const { rows } = await sql<{ webhookId: string }>`
    with next as materialized (
      select (
        select open_delivery.id from open_delivery
        where open_delivery.workspace_id = settled.workspace_id and ${inLine('open_delivery', line, { after: sql`settled.id` })}
          and open_delivery.state = 'pending'
        order by ${lineOrder('open_delivery', 'asc')} limit 1) as id
      from unnest(
        ${settled.map((one) => one.id)}::uuid[],
        ${workspaceIds}::uuid[],
        ${settled.map((one) => one.webhookId)}::uuid[],
        ${settled.map((one) => one.orderingKey)}::text[]
      ) as settled (id, workspace_id, webhook_id, ordering_key)
    ), released as (
      update open_delivery set due_at = now()
      where workspace_id = any(${workspaceIds}::uuid[]) and id = any(array(select next.id from next))
        and due_at = 'infinity'
      returning webhook_id
    ), readied as (
      update lane set ready_at = ${readiedAt}
      where workspace_id = any(${workspaceIds}::uuid[])
        and webhook_id = any(array(select released.webhook_id from released)) and not is_ending
      returning webhook_id, ready_at <= now() as is_ready
    )
    select webhook_id from readied where is_ready`.execute(trx);
  return new Set(rows.map((row) => row.webhookId));
}

/** So many rows are changed by one statement: it has five seconds. */
const pageMax = 10_000;

/**
 * Has nothing of a webhook that is not ordered any more wait for others, a page at a time, from the ends of its lines: what a
 * fault leaves, or an ordering that comes back meanwhile, still has its first ones, and goes out in its order.
 */
export async function releaseAll(
  db: Kysely<Tables>,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<void> {
  const releasePage = (): Promise<bigint | undefined> =>
    db.transaction().execute(async (trx) => {
      // A statement of its own: the next one sees what was written by those whom this one has waited for.
      await sql`
        update lane set ready_at = case when ready_at is not null then ${readiedAt} end
        where workspace_id = ${workspaceId} and webhook_id = ${id}`.execute(trx);
      const { numAffectedRows } = await sql`
        update open_delivery
        set ordering_key = null, due_at = case when due_at = 'infinity' then now() else due_at end
        where workspace_id = ${workspaceId} and id = any(array(
          select open_delivery.id from open_delivery
          join webhook on webhook.id = open_delivery.webhook_id
          where open_delivery.workspace_id = ${workspaceId} and webhook.workspace_id = ${workspaceId}
            and open_delivery.webhook_id = ${id} and ordering_key is not null and webhook.ordering = 'none'
          order by ${lineOrder('open_delivery', 'desc')} limit ${sql.lit(pageMax)}))`.execute(trx);
      return numAffectedRows;
    });
  while ((await releasePage()) === BigInt(pageMax));
}
