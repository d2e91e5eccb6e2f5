import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../schema.ts';
import type { Claimed } from './claim-store.ts';
import { insertFinished } from './finished-sql.ts';
import { failingMsMax } from './lane-health.ts';
import { listenedUntilNow } from './listening-sql.ts';

interface Owned {
  workspaceId: string;
  id: string;
}

/** So many deliveries are ended by one statement: it has five seconds. */
const pageMax = 10_000;

/**
 * Ends what is open for these webhooks: it is finished in this state, what is under way as soon as its worker says how it
 * went. Of what waits a page is ended at once; of a long backlog the rest follows (`endRest`), and is taken by nobody
 * meanwhile. To be called in the transaction that took their rows from being active, and after that statement: fan-out
 * locks webhooks while it adds deliveries, so all of them are seen here and none follows.
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
    update lane set ready_at = null, is_full = false
    from (
      select webhook_id from lane
      where workspace_id = any(${workspaceIds}::uuid[]) and webhook_id = any(${ids}::uuid[])
      order by webhook_id for update
    ) as concerned
    where lane.webhook_id = concerned.webhook_id and lane.workspace_id = any(${workspaceIds}::uuid[])`.execute(
    trx,
  );
  for (const webhook of webhooks) {
    await endPage(trx, webhook, { state, rowsMax: Math.max(100, Math.floor(pageMax / webhooks.length)) });
  }
}

async function endPage(
  trx: Transaction<Tables>,
  { workspaceId, id }: Owned,
  { state, rowsMax }: { state: 'skipped' | 'discarded'; rowsMax: number },
): Promise<void> {
  await sql`
    with page as materialized (
      select * from open_delivery
      where workspace_id = ${workspaceId} and webhook_id = ${id} and due_at <= 'infinity'
      -- What is under way was due before all that is not.
      order by due_at limit ${rowsMax} for update
    ), marked as (
      update open_delivery set state = ${state}
      where workspace_id = ${workspaceId}
        and id = any(array(select page.id from page where lease_token is not null and state = 'pending'))
    ), removed as (
      delete from open_delivery
      where workspace_id = ${workspaceId} and id = any(array(select page.id from page where lease_token is null))
    ), rest as (
      update lane set is_ending = true
      where workspace_id = ${workspaceId} and webhook_id = ${id} and (select count(*) from page) = ${rowsMax}
    )
    ${insertFinished(sql`page where lease_token is null`, sql`${state}`)}`.execute(trx);
}

/**
 * Ends a page of what `endOpen` has left, of this webhook or of any. True when there may be more. Before all of it is ended
 * its webhook must not be active: whoever activates it calls this till then.
 */
export async function endRest(db: Kysely<Tables>, webhook?: Owned): Promise<boolean> {
  const ofThis = webhook
    ? sql`and lane.workspace_id = ${webhook.workspaceId} and lane.webhook_id = ${webhook.id}`
    : sql``;
  const { rows } = await sql<{ isMore: boolean }>`
    ${acrossWorkspaces('what was ended with its webhook is finished whosever it is')}
    with ending as materialized (
      select lane.webhook_id, case when webhook.deleted_at is null then 'skipped' else 'discarded' end as state
      from lane join webhook on webhook.id = lane.webhook_id
      where is_ending ${ofThis}
      limit 1 for update of lane
    ), page as materialized (
      select open_delivery.*, ending.state as final_state
      from ending join open_delivery on open_delivery.webhook_id = ending.webhook_id
      limit ${sql.lit(pageMax)} for update of open_delivery
    ), marked as (
      update open_delivery set state = page.final_state
      from page where page.id = open_delivery.id and page.lease_token is not null and page.state = 'pending'
    ), removed as (
      delete from open_delivery where id = any(array(select page.id from page where lease_token is null))
    ), finished as (${insertFinished(sql`page where lease_token is null`, sql`final_state`)}
    )
    update lane set is_ending = (select count(*) from page) = ${pageMax}
    from ending where lane.webhook_id = ending.webhook_id
    returning true as is_more`.execute(db);
  return rows.length > 0;
}

/**
 * Has what was ended under its worker go on, as if it had not been. To be called in the transaction that made the webhook
 * active and has locked its lane.
 */
export async function goOn(trx: Transaction<Tables>, { workspaceId, id }: Owned): Promise<void> {
  await sql`
    with under_way as (
      update open_delivery set state = 'pending'
      where workspace_id = ${workspaceId} and webhook_id = ${id} and lease_token is not null and state = 'skipped'
      returning lease_end as ends_at
    )
    update lane set ready_at = least(ready_at, lapses_at, (select min(under_way.ends_at) from under_way))
    where workspace_id = ${workspaceId} and webhook_id = ${id}`.execute(trx);
}

/** Deactivates the webhooks of these deliveries, as far as they are still held, for ever. Answers those that were active. */
export async function deactivateGone(
  trx: Transaction<Tables>,
  deliveries: readonly Pick<Claimed, 'id' | 'workspaceId' | 'leaseToken'>[],
): Promise<Owned[]> {
  const workspaceIds = deliveries.map((delivery) => delivery.workspaceId);
  const { rows } = await sql<Owned>`
    update webhook set is_active = false, active_since = null, inactive_reason = 'gone', version = version + 1,
      listening_since = null, listened = ${listenedUntilNow}
    where workspace_id = any(${workspaceIds}::uuid[]) and id in (
      select webhook.id from unnest(
        ${deliveries.map((delivery) => delivery.id)}::uuid[],
        ${workspaceIds}::uuid[],
        ${deliveries.map((delivery) => delivery.leaseToken)}::uuid[]
      ) as gone (id, workspace_id, lease_token)
      join open_delivery on open_delivery.id = gone.id and open_delivery.workspace_id = gone.workspace_id
        and open_delivery.lease_token = gone.lease_token and open_delivery.state = 'pending'
      join webhook on webhook.id = open_delivery.webhook_id and webhook.workspace_id = open_delivery.workspace_id
      where webhook.is_active order by webhook.id for no key update of webhook)
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
          and lane.failing_again_at is not null
          and lane.failing_since <= now() - ${failingMsMax} * interval '1 millisecond')`.execute(trx);
    if (!numAffectedRows) return false;
    await endOpen(trx, [webhook], 'skipped');
    return true;
  });
}

/** Finishes what had been ended while a worker that has died since was at it. */
export async function finishAbandoned(db: Kysely<Tables>): Promise<void> {
  await sql`
    ${acrossWorkspaces('what was ended under a dead worker is finished whosever it is')}
    with found as materialized (
      select id, webhook_id from open_delivery where state <> 'pending' and lease_end <= now()
    ), locked as materialized (
      select webhook_id from lane where webhook_id = any(array(select found.webhook_id from found))
      order by webhook_id for update
    ), abandoned as materialized (
      select open_delivery.* from locked join open_delivery on open_delivery.webhook_id = locked.webhook_id
      where open_delivery.id = any(array(select found.id from found))
        and open_delivery.state <> 'pending' and open_delivery.lease_end <= now()
      order by open_delivery.id for update of open_delivery
    ), removed as (
      delete from open_delivery where id = any(array(select abandoned.id from abandoned))
    ), counted as (
      update lane set under_way = greatest(0, under_way - given_back.number)
      from (select webhook_id, count(*)::int as number from abandoned group by webhook_id) as given_back
      where lane.webhook_id = given_back.webhook_id
    )
    ${insertFinished(sql`abandoned`)}`.execute(db);
}
