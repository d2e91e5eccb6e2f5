import { webhookLimits } from '@parley/contracts/limits';
import { sql, type Transaction } from 'kysely';
import { attemptColumns, attemptNumber, isInAnyState } from '../deliveries/finished-sql.ts';
import { orderingKey } from '../deliveries/ordering-sql.ts';
import type { Tables, WebhookKey } from '../schema.ts';

// What makes deliveries due that were not: within one transaction, in the order in which all lock: webhook,
// events, lane, deliveries.

type Trx = Transaction<Tables>;

const { daysKept } = webhookLimits;

/**
 * Keeps an active webhook active: who deactivates it waits, and then sees what was made due. Answers since when it has
 * been active; undefined when it is not.
 */
export async function holdActive(
  trx: Trx,
  { workspaceId, webhookId }: WebhookKey,
): Promise<Date | undefined> {
  const webhook = await trx
    .selectFrom('webhook')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', webhookId)
    .where('isActive', '=', true)
    .select('activeSince')
    .forShare()
    .executeTakeFirst();
  return webhook?.activeSince ?? undefined;
}

/**
 * Keeps these events from being purged, and their bodies from being replaced: a delivery that changed tables meanwhile
 * could be missed. Answers those that are still there.
 */
export async function holdEvents(
  trx: Trx,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from event where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
    order by id for share`.execute(trx);
  return new Set(rows.map((row) => row.id));
}

/**
 * Makes finished deliveries open and due now, as they are otherwise: id, attempts, age; their last attempts join those before.
 * Their webhook and events have to be held. `from` and `to`: when they were finished, which says in which partitions they are. Answers how many
 * were still finished.
 */
export async function reopen(
  trx: Trx,
  { workspaceId, webhookId }: WebhookKey,
  ids: readonly string[],
  finished: { from: Date; to: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with taken as (
      delete from finished_delivery
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and id = any(${ids}::uuid[])
        and ${isInAnyState}
        -- The bounds were rounded to milliseconds.
        and finished_at >= ${finished.from}::timestamptz - interval '1 millisecond'
        and finished_at <= ${finished.to}::timestamptz + interval '1 millisecond'
      returning *
    ), logged as (
      -- Its day has a partition as long as it is one of the last thirty.
      insert into attempt (delivery_id, number, workspace_id, recorded_at, ${attemptColumns})
      select id, ${attemptNumber}, workspace_id, greatest(finished_at, now() - ${sql.lit(daysKept - 1)} * interval '1 day'),
        ${attemptColumns}
      from taken where started_at is not null
    )
    insert into open_delivery (id, workspace_id, webhook_id, event_id, attempts, is_redacted, created_at, ordering_key)
    select id, workspace_id, webhook_id, event_id, attempts, is_redacted, created_at, (
      select ${orderingKey('webhook', 'event')} from webhook
      join event on event.id = taken.event_id and event.workspace_id = taken.workspace_id
      where webhook.id = taken.webhook_id and webhook.workspace_id = taken.workspace_id)
    from taken`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
