import { type Kysely, sql, type Transaction } from 'kysely';
import type { Claimed } from './claim-store.ts';
import { acrossWorkspaces } from '@parley/postgres/scope';
import type { Tables } from './schema.ts';

interface Owned {
  workspaceId: string;
  id: string;
}

/**
 * Ends what is open for these webhooks: it is finished in this state, what is under way as soon as its worker says how it
 * went. To be called in the transaction that took their rows from being active, and after that statement: fan-out locks
 * webhooks while it adds deliveries, so all of them are seen here and none follows.
 */
export async function endOpen(
  trx: Transaction<Tables>,
  webhooks: readonly Owned[],
  state: 'skipped' | 'discarded',
): Promise<void> {
  const workspaceIds = webhooks.map((webhook) => webhook.workspaceId);
  const ids = webhooks.map((webhook) => webhook.id);
  // A statement of its own: the next one sees what was written by those whom this one has waited for.
  await sql`
    update lane set ready_at = null
    from (
      select webhook_id from lane
      where workspace_id = any(${workspaceIds}::uuid[]) and webhook_id = any(${ids}::uuid[])
      order by webhook_id for update
    ) as concerned
    where lane.webhook_id = concerned.webhook_id and lane.workspace_id = any(${workspaceIds}::uuid[])`.execute(
    trx,
  );
  await sql`
    with open as materialized (
      select * from open_delivery
      where workspace_id = any(${workspaceIds}::uuid[]) and webhook_id = any(${ids}::uuid[]) and state = 'pending'
      order by id for update
    ), under_way as (
      update open_delivery set state = ${state}
      where workspace_id = any(${workspaceIds}::uuid[])
        and id = any(array(select open.id from open where open.lease_token is not null))
    ), waiting as (
      delete from open_delivery
      where workspace_id = any(${workspaceIds}::uuid[])
        and id = any(array(select open.id from open where open.lease_token is null))
    )
    insert into finished_delivery
      (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at)
    select id, workspace_id, webhook_id, event_id, ${state}, attempts, is_redacted, created_at
    from open where lease_token is null`.execute(trx);
}

/** Deactivates the webhooks of these deliveries, as far as they are still held, for ever. Answers those that were active. */
export async function deactivateGone(
  trx: Transaction<Tables>,
  deliveries: readonly Pick<Claimed, 'id' | 'workspaceId' | 'leaseToken'>[],
): Promise<Owned[]> {
  const workspaceIds = deliveries.map((delivery) => delivery.workspaceId);
  const { rows } = await sql<Owned>`
    update webhook set is_active = false, active_since = null, inactive_reason = 'gone', version = version + 1
    where workspace_id = any(${workspaceIds}::uuid[]) and id in (
      select webhook.id from unnest(
        ${deliveries.map((delivery) => delivery.id)}::uuid[],
        ${workspaceIds}::uuid[],
        ${deliveries.map((delivery) => delivery.leaseToken)}::uuid[]
      ) as gone (id, workspace_id, lease_token)
      join open_delivery on open_delivery.id = gone.id and open_delivery.workspace_id = gone.workspace_id
        and open_delivery.lease_token = gone.lease_token and open_delivery.state = 'pending'
      join webhook on webhook.id = open_delivery.webhook_id and webhook.workspace_id = open_delivery.workspace_id
      where webhook.is_active order by webhook.id for update of webhook)
    returning id, workspace_id`.execute(trx);
  return rows;
}

/**
 * Deactivates a webhook that has failed for too long; what is open is skipped. False when its lane says otherwise by now,
 * or it is not active.
 */
export async function disableFailing(db: Kysely<Tables>, webhook: Owned): Promise<boolean> {
  const { workspaceId, id } = webhook;
  return db.transaction().execute(async (trx) => {
    const { numAffectedRows } = await sql`
      update webhook set is_active = false, active_since = null, inactive_reason = 'auto', version = version + 1
      where id = ${id} and workspace_id = ${workspaceId} and is_active and exists (
        select from lane
        where lane.webhook_id = webhook.id and lane.workspace_id = webhook.workspace_id
          and lane.failing_since is not null)`.execute(trx);
    if (!numAffectedRows) return false;
    await endOpen(trx, [webhook], 'skipped');
    return true;
  });
}

/** Finishes what had been ended while a worker that has died since was at it. */
export async function finishAbandoned(db: Kysely<Tables>): Promise<void> {
  await sql`
    ${acrossWorkspaces('what was ended under a dead worker is finished whosever it is')}
    with abandoned as materialized (
      select * from open_delivery where state <> 'pending' and due_at <= now() order by id for update skip locked
    ), removed as (
      delete from open_delivery where id = any(array(select id from abandoned))
    )
    insert into finished_delivery
      (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at)
    select id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at from abandoned`.execute(
    db,
  );
}
