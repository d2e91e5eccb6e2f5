import { type FencedCustomer, lockFence } from '@parley/postgres/fence';
import { type RawBuilder, sql } from 'kysely';
import { insertFinished } from '../deliveries/finished-sql.ts';
import { lockLanes, releaseNext } from '../deliveries/ordering.ts';
import type { Trx, WebhookKey } from '../schema.ts';

/** Later than any version of a customer: no anonymisation replaces the body. */
const deletedVersion = 2 ** 31 - 1;

export interface DeletedInteractions extends FencedCustomer {
  interactionIds: readonly string[];
}

/** What was removed, also earlier. */
export interface RemovedEvents {
  events: number;
  /** The webhooks whose open deliveries were discarded. */
  webhookIds: string[];
}

/**
 * Empties the bodies of the events of deleted interactions, deletes the answers of receivers, and discards open
 * deliveries, also deliveries in flight. Waits for events that are being stored, and none is stored after it. Ids and
 * times stay for the log.
 */
export async function removeBodies(
  trx: Trx,
  { workspaceId, customerId, interactionIds }: DeletedInteractions,
): Promise<RemovedEvents> {
  await lockFence(trx, { workspaceId, customerId });
  await sql`
    insert into deleted_interaction (interaction_id, workspace_id)
    select id, ${workspaceId}::uuid from unnest(${interactionIds}::text[]) as id order by id
    on conflict do nothing`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    select id from event
    where about = any(${interactionIds}::text[]) and about <> '' and workspace_id = ${workspaceId}
    order by id for update`.execute(trx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return { events: 0, webhookIds: [] };
  await sql`
    update event set data = '', extra = '{}', result = null, redacted_version = ${deletedVersion}
    where id = any(${ids}::uuid[]) and workspace_id = ${workspaceId} and octet_length(data) > 0`.execute(trx);
  const webhooks = await lockOpenLanes(trx, workspaceId, ids);
  await redactDeliveries(trx, workspaceId, ids);
  if (webhooks.length > 0) await discardOpen(trx, workspaceId, ids);
  return { events: ids.length, webhookIds: webhooks.map(({ webhookId }) => webhookId) };
}

/** Deletes the answers of receivers about these events. `recordOutcomes` stores none from then on. */
export async function redactDeliveries(
  trx: Trx,
  workspaceId: string,
  eventIds: readonly string[],
): Promise<void> {
  // Open deliveries first: the next statement finds one that has been finished since.
  await sql`
    update open_delivery set is_redacted = true
    from (
      select id from open_delivery
      where event_id = any(${eventIds}::uuid[]) and workspace_id = ${workspaceId} order by id for update
    ) as concerned
    where open_delivery.event_id = any(${eventIds}::uuid[]) and open_delivery.id = concerned.id
      and open_delivery.workspace_id = ${workspaceId}`.execute(trx);
  await sql`
    update finished_delivery set is_redacted = true, response_excerpt = null
    where event_id = any(${eventIds}::uuid[]) and workspace_id = ${workspaceId}
      and (not is_redacted or response_excerpt is not null)`.execute(trx);
  await sql`
    update attempt set response_excerpt = null
    where workspace_id = ${workspaceId} and response_excerpt is not null and delivery_id = any(array(
      select id from delivery
      where event_id = any(${eventIds}::uuid[]) and workspace_id = ${workspaceId}))`.execute(trx);
}

/**
 * Locks the lanes of open deliveries, and returns their webhooks. Before the deliveries, as `recordOutcomes` does. The
 * events are locked, so no delivery is reopened meanwhile.
 */
async function lockOpenLanes(
  trx: Trx,
  workspaceId: string,
  eventIds: readonly string[],
): Promise<WebhookKey[]> {
  const { rows: webhooks } = await sql<WebhookKey>`
    select distinct webhook_id, workspace_id from open_delivery where ${isOf(workspaceId, eventIds)}`.execute(
    trx,
  );
  if (webhooks.length > 0) await lockLanes(trx, webhooks);
  return webhooks;
}

async function discardOpen(trx: Trx, workspaceId: string, eventIds: readonly string[]): Promise<void> {
  const { rows: ended } = await sql<WebhookKey & { id: string; orderingKey: string | null }>`
    with ended as (
      delete from open_delivery where ${isOf(workspaceId, eventIds)} returning *
    ), finished as (${insertFinished(sql`ended`, sql`'discarded'`)}
    )
    select id, workspace_id, webhook_id, ordering_key from ended`.execute(trx);
  const ordered = ended.filter(({ orderingKey }) => orderingKey !== null);
  if (ordered.length > 0) await releaseNext(trx, ordered);
}

function isOf(workspaceId: string, eventIds: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`event_id = any(${eventIds}::uuid[]) and workspace_id = ${workspaceId}`;
}
