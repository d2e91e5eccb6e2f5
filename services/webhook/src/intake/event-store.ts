import { byteStrings, instants, texts, uuids } from '@parley/postgres/arrays';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
import { insertFinished } from '../delivering/finished-sql.ts';
import { readiedAt } from '../delivering/lane-ready-sql.ts';
import { inLine, lineOrder, orderingKey } from '../delivering/ordering-sql.ts';
import type { EventTable, Tables } from '../schema.ts';
import { storedBody } from './stored-body.ts';

type Db = Kysely<Tables>;

/** An event as it comes. */
export type IncomingEvent = Pick<EventTable, 'id' | 'workspaceId' | 'customerId' | 'body' | 'traceparent'> & {
  completedAt: Date | null;
};

/**
 * Takes events in, once each: the event and a delivery for each webhook that was active at its completion, in one statement,
 * which puts their lanes where they were served last. Where the webhook has been switched off meanwhile, or was off then because it
 * failed, the delivery is skipped. A body that was put in place beforehand stays. Answers how many deliveries there are
 * to make. Ids must differ. For an ordered webhook, deliveries get their ids in the order of the batches, and of completion
 * in each; one that has to wait for an earlier one as far as can be seen is not due, all others are left to the claims.
 */
export async function takeEvents(db: Db, events: readonly IncomingEvent[]): Promise<number> {
  const workspaceIds = uuids(events.map((event) => event.workspaceId));
  const line = { webhookId: sql`placed.webhook_id`, key: sql`placed.ordering_key` };
  const openInLine = sql`(
          select earlier.id from open_delivery as earlier
          where earlier.workspace_id = placed.workspace_id
            and ${inLine('earlier', line, { before: sql`placed.id` })}
            and earlier.state = 'pending'
          order by ${lineOrder('earlier', 'desc')} limit 1)`;
  const skipped = sql`(
        select uuidv7() as id, workspace_id, webhook_id, event_id, 0 as attempts, is_redacted, now() as created_at
        from concerned where not is_to_deliver) as skipped`;
  const { rows } = await sql<{ number: number }>`
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
      select id, workspace_id, is_active, ordering, listened, date_trunc('milliseconds', active_since) as active_since,
        date_trunc('milliseconds', listening_since) as listening_since
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
      select webhook_id, workspace_id, xmin as version from lane
      where workspace_id = any(${workspaceIds}::uuid[])
        and webhook_id = any(array(select concerned.webhook_id from concerned where concerned.is_to_deliver))
      order by webhook_id for update
    ), opened as (
      insert into open_delivery (id, workspace_id, webhook_id, event_id, is_redacted)
      select uuidv7(), workspace_id, webhook_id, event_id, is_redacted
      from concerned where is_to_deliver and ordering_key is null
    ), opened_in_order as (
      -- Ids are made under the lock of the lane: whose id is smaller was there before, unless the clock went back. Only such
      -- ones are waited for, as everywhere: else two could wait for each other.
      insert into open_delivery (id, workspace_id, webhook_id, event_id, is_redacted, ordering_key, due_at)
      select id, workspace_id, webhook_id, event_id, is_redacted, ordering_key,
        case when place > 1 or (is_current and ${openInLine} is not null) then 'infinity' else now() end
      from (
        select uuidv7() as id, concerned.workspace_id, concerned.webhook_id, concerned.event_id,
          concerned.is_redacted, concerned.ordering_key,
          row_number() over (
            partition by concerned.webhook_id, concerned.ordering_key
            order by concerned.completed_at, concerned.event_id) as place,
          -- What is seen to be open is so only where the lane's row is the one that this statement sees.
          locked.version = seen.xmin as is_current
        from concerned
        join locked on locked.webhook_id = concerned.webhook_id and locked.workspace_id = concerned.workspace_id
        join lane as seen on seen.webhook_id = locked.webhook_id and seen.workspace_id = locked.workspace_id
        where concerned.is_to_deliver and concerned.ordering_key is not null
        order by concerned.completed_at, concerned.event_id
      ) as placed
    ), skipped as (${insertFinished(skipped, sql`'skipped'`)}
    ), readied as (
      update lane set ready_at = ${readiedAt}
      from locked
      where lane.webhook_id = locked.webhook_id and lane.workspace_id = any(${workspaceIds}::uuid[])
    )
    select count(*)::int as number from concerned where is_to_deliver`.execute(db);
  return rows[0]?.number ?? 0;
}

/** Those of the ids under which no event has come. */
export async function listMissingEvents(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${acrossWorkspaces('the reconciliation asks by ids of events')}
    select asked.id from unnest(${ids}::uuid[]) as asked (id)
    -- As a scalar it is a look-up for each, never a scan of the table.
    where (select event.received_at from event where event.id = asked.id) is null`.execute(db);
  return rows.map((row) => row.id);
}
