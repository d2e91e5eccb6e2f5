import { byteStrings, instants, texts, uuids } from '@parley/postgres/arrays';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
import { insertFinished } from '../deliveries/finished-sql.ts';
import { orderingKey } from '../deliveries/ordering-sql.ts';
import type { EventTable, Tables } from '../schema.ts';
import { storedBody } from './stored-body.ts';

type Db = Kysely<Tables>;

/** An event as it comes. */
export type IncomingEvent = Pick<EventTable, 'id' | 'workspaceId' | 'customerId' | 'body' | 'traceparent'> & {
  completedAt: Date | null;
};

/**
 * Takes events in, once each: the event and a delivery for each webhook that was active at its completion, in one statement.
 * Where the webhook was deactivated meanwhile, or was disabled then because it failed, the delivery is skipped. A body
 * that was put in place beforehand stays. Ids must differ. For an ordered webhook, deliveries get their ids in the order
 * of the batches, and of completion in each. Returns the webhooks with something to deliver.
 */
export async function takeEvents(db: Db, events: readonly IncomingEvent[]): Promise<string[]> {
  const workspaceIds = uuids(events.map((event) => event.workspaceId));
  const skipped = sql`(
        select uuidv7() as id, workspace_id, webhook_id, event_id, 0 as attempts, is_redacted, now() as created_at
        from concerned where not is_to_deliver) as skipped`;
  const { rows } = await sql<{ webhookId: string }>`
    with incoming as (
      select * from unnest(
        ${uuids(events.map((event) => event.id))}::uuid[],
        ${workspaceIds}::uuid[],
        ${texts(events.map((event) => event.customerId))}::text[],
        ${byteStrings(events.map((event) => storedBody(event.body)))}::bytea[],
        ${texts(events.map((event) => event.traceparent))}::text[],
        ${instants(events.map((event) => event.completedAt))}::timestamptz[]
      ) as incoming (id, workspace_id, customer_id, body, traceparent, completed_at)
    ), listening as (
      -- Locked: whoever deactivates one waits, and then sees the deliveries that were added here.
      -- A clock that was set back must not lose what completes right after an activation.
      select id, workspace_id, is_active, ordering, listened, ${sinceOf('active_since')} as active_since,
        ${sinceOf('listening_since')} as listening_since
      from webhook
      where workspace_id = any(${workspaceIds}::uuid[]) and deleted_at is null
        and (listening_since is not null or upper(listened) > (select min(completed_at) from incoming))
      order by id for share
    ), taken as (
      insert into event (id, workspace_id, customer_id, body, traceparent, completed_at, received_at)
      select id, workspace_id, customer_id, body, traceparent, completed_at, now() from incoming order by id
      on conflict (id) do update
        set traceparent = excluded.traceparent, completed_at = excluded.completed_at, received_at = now()
        where event.received_at is null and event.workspace_id = excluded.workspace_id
      returning id, workspace_id, customer_id, completed_at, redacted_version
    ), concerned as materialized (
      select taken.workspace_id, taken.id as event_id, listening.id as webhook_id,
        -- Completed while it was on, and it has been on since. Else it would have been skipped, had it come at once.
        is_active and (taken.completed_at is null or active_since <= taken.completed_at) as is_to_deliver,
        taken.completed_at, taken.redacted_version is not null as is_redacted,
        ${orderingKey('listening', 'taken')} as ordering_key
      from taken join listening on listening.workspace_id = taken.workspace_id
        and (taken.completed_at is null and listening_since is not null
          or listening_since <= taken.completed_at or listened @> taken.completed_at)
    ), locked as materialized (
      select webhook_id, workspace_id from lane
      where workspace_id = any(${workspaceIds}::uuid[])
        and webhook_id = any(array(select concerned.webhook_id from concerned where concerned.ordering_key is not null))
      order by webhook_id for update
    ), opened as (
      -- Ids of an ordered webhook are made under the lock of its lane, so a smaller id was there before.
      insert into open_delivery (id, workspace_id, webhook_id, event_id, is_redacted, ordering_key)
      select uuidv7(), workspace_id, webhook_id, event_id, is_redacted, ordering_key
      from (
        select concerned.* from concerned
        where concerned.is_to_deliver
          and (concerned.ordering_key is null or concerned.webhook_id = any(array(select locked.webhook_id from locked)))
        order by concerned.completed_at, concerned.event_id
      ) as placed
    ), skipped as (${insertFinished(skipped, sql`'skipped'`)}
    )
    select distinct webhook_id from concerned where is_to_deliver`.execute(db);
  return rows.map((row) => row.webhookId);
}

/** In milliseconds, as completions are. A clock that was set back must not lose what completes right after an activation. */
function sinceOf(column: string) {
  const since = sql.ref(column);
  return sql`case when ${since} > now() then '-infinity' else date_trunc('milliseconds', ${since}) end`;
}

/** Returns the ids without a received event. */
export async function listMissingEvents(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${acrossWorkspaces('the reconciliation asks by ids of events')}
    select asked.id from unnest(${ids}::uuid[]) as asked (id)
    -- As a scalar it is a look-up for each, never a scan of the table.
    where (select event.received_at from event where event.id = asked.id) is null`.execute(db);
  return rows.map((row) => row.id);
}
