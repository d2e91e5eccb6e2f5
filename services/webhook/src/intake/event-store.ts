import { isUtf8 } from 'node:buffer';
import type { EventName } from '@parley/contracts/event-names';
import type { EventBody, EventOfInteraction } from '@parley/contracts/interaction/v1/interaction';
import type { Take } from '@parley/events/consumer';
import { tableOf, uuids } from '@parley/postgres/sql/arrays';
import { reads } from '@parley/postgres/sql/dialect';
import type { FencedCustomer } from '@parley/postgres/fence';
import { sql } from 'kysely';
import { insertFinished } from '../deliveries/finished-sql.ts';
import { lockLanes, orderingKey } from '../deliveries/ordering.ts';
import type { Db, EventTable, Trx, WebhookKey } from '../schema.ts';
import type { Decision } from '../subscriptions/filtering.ts';
import { inTransaction } from '@parley/postgres/connecting/transaction';
import { eventText, wantedEvents } from '../subscriptions/subscription-store.ts';
import { redactDeliveries } from './removal-store.ts';

/** The stored part of the text of an error. */
const errorCharactersMax = 500;

/** An incoming event, with what has become of it for each webhook that wanted it. */
export interface IncomingEvent
  extends Pick<EventBody, 'interaction' | 'result' | 'customerVersion' | 'redactedVersion' | 'isTest'> {
  id: string;
  workspaceId: string;
  name: EventName;
  interactionId: string;
  customerId: string;
  status: string;
  extra: object;
  raisedAt: Date;
  traceparent: string | null;
  decisions: readonly Decision[];
}

export interface Taking {
  take: Take;
  /** Postpones events that were taken. */
  postpone?: (trx: Trx, taken: ReadonlySet<string>) => Promise<void>;
}

interface Stored<Event> {
  /** The webhooks with due deliveries. */
  webhookIds: string[];
  /** Events that were not stored or taken, because a removal of their customer is under way or newer than the body. */
  fenced: Event[];
}

/**
 * Stores each event once, with a delivery for each webhook that it passed to and that listened when it was raised. An
 * event that was postponed may be stored already, with deliveries for other webhooks.
 * The delivery is skipped if the webhook was inactive then or later. An event for no webhook, or of a deleted
 * interaction, is only taken. Deliveries of an ordered webhook get ids in the order of events.
 */
export async function storeEventsAndDeliveries<Event extends IncomingEvent>(
  db: Db,
  events: readonly Event[],
  { take, postpone }: Taking,
): Promise<Stored<Event>> {
  return inTransaction(db, async (trx) => {
    const { webhooks, isFenced } = await hold(trx, events);
    const fenced = events.filter(isFenced);
    const others = events.filter((event) => !isFenced(event));
    const taken = await take(
      trx,
      others.map(({ id }) => id),
    );
    const fresh = others.filter(({ id }) => taken.has(id));
    if (fresh.length === 0 || webhooks.length === 0) return { webhookIds: [], fenced };
    await countFiltered(trx, fresh);
    // Under the lock of the lane, ids of an ordered webhook ascend.
    const ordered = webhooks.filter(({ isOrdered }) => isOrdered);
    if (ordered.length > 0) await lockLanes(trx, ordered);
    const webhookIds = await addDeliveries(trx, fresh, webhooks);
    // Last, because the shares of the workspace wait for its lock.
    await postpone?.(trx, taken);
    return { webhookIds, fenced };
  });
}

/** Counts what filters have kept back of the events for which their webhooks listened, and for what they failed. */
async function countFiltered(trx: Trx, events: readonly IncomingEvent[]): Promise<void> {
  const kept = events.flatMap(({ workspaceId, raisedAt, decisions }) =>
    decisions
      .filter(({ outcome }) => outcome !== 'sent')
      .map((decision) => ({ ...decision, workspaceId, raisedAt })),
  );
  if (kept.length === 0) return;
  const given = tableOf('given', kept, {
    webhookId: ['uuid', ({ webhookId }) => webhookId],
    workspaceId: ['uuid', ({ workspaceId }) => workspaceId],
    raisedAt: ['timestamptz', ({ raisedAt }) => raisedAt],
    outcome: ['text', ({ outcome }) => outcome],
    error: ['text', ({ error }) => error?.slice(0, errorCharactersMax) ?? null],
  });
  await sql`
    insert into filter_result as result (webhook_id, workspace_id, filtered, errors, last_error)
    select webhook.id, webhook.workspace_id, count(*) filter (where outcome = 'filtered'),
      count(*) filter (where outcome = 'failed'),
      (array_agg(error order by raised_at desc) filter (where outcome = 'failed'))[1]
    from ${given} join webhook on webhook.id = given.webhook_id and webhook.workspace_id = given.workspace_id
    where deleted_at is null and ${isListening}
    group by webhook.id order by webhook.id
    on conflict (webhook_id) do update set filtered = result.filtered + excluded.filtered,
      errors = result.errors + excluded.errors, last_error = coalesce(excluded.last_error, result.last_error)
      where result.workspace_id = excluded.workspace_id`.execute(trx);
}

interface Held {
  webhooks: (WebhookKey & { isOrdered: boolean })[];
  fences: (FencedCustomer & { version: number | null })[];
}

/**
 * Holds the fences of the customers until the commit, so that none rises between this check and the insert, and locks
 * the webhooks of the workspaces: a deactivation waits, then skips the deliveries that were added. Call it before the
 * events are taken: then two transactions with the same events do not wait for each other. `isFenced` returns whether
 * the fence of the event's customer is being raised, or is above the version of the body.
 */
async function hold(
  trx: Trx,
  events: readonly IncomingEvent[],
): Promise<{ webhooks: Held['webhooks']; isFenced: (event: IncomingEvent) => boolean }> {
  const given = tableOf('given', events, {
    workspaceId: ['uuid', (event) => event.workspaceId],
    customerId: ['text', (event) => event.customerId],
  });
  const workspaceIds = uuids([...new Set(events.map((event) => event.workspaceId))]);
  const { rows } = await sql<Held>`
    with fenced as materialized (
      select customer.workspace_id, customer.customer_id, fence.version
      from (select distinct workspace_id, customer_id from ${given}) as customer,
        try_to_hold_fence(customer.workspace_id, customer.customer_id) as fence
      where fence.version is null or fence.version > 0
    ), locked as materialized (
      select workspace_id, id, ordering from webhook
      where workspace_id = any(${workspaceIds}::uuid[]) and deleted_at is null
      order by id for share
    )
    select (
      select coalesce(json_agg(json_build_object(
        'workspaceId', workspace_id, 'customerId', customer_id, 'version', version)), '[]') from fenced
    ) as fences, (
      select coalesce(json_agg(json_build_object(
        'workspaceId', workspace_id, 'webhookId', id, 'isOrdered', ordering <> 'none') order by id), '[]') from locked
    ) as webhooks`.execute(trx);
  const { webhooks = [], fences = [] } = rows[0] ?? {};
  const versions = new Map(fences.map(({ version, ...customer }) => [keyOf(customer), version]));
  const isFenced = (event: IncomingEvent): boolean => {
    const version = versions.get(keyOf(event));
    return version === null || (version !== undefined && version > event.customerVersion);
  };
  return { webhooks, isFenced };
}

function keyOf({ workspaceId, customerId }: FencedCustomer): string {
  return JSON.stringify([workspaceId, customerId]);
}

const skipped = sql`(
        select uuidv7() as id, workspace_id, webhook_id, event_id, 0 as attempts, 0 as manual_attempts, is_redacted, is_enveloped,
          now() as created_at
        from concerned where not is_to_deliver) as skipped`;

async function addDeliveries(
  trx: Trx,
  events: readonly IncomingEvent[],
  webhooks: readonly WebhookKey[],
): Promise<string[]> {
  const given = tableOf('given', events, {
    id: ['uuid', (event) => event.id],
    workspaceId: ['uuid', (event) => event.workspaceId],
    name: ['text', (event) => event.name],
    about: ['text', (event) => event.interactionId],
    customerId: ['text', (event) => event.customerId],
    status: ['text', (event) => event.status],
    data: ['bytea', (event) => storedBody(event.interaction)],
    extra: ['text', (event) => JSON.stringify(event.extra)],
    result: ['bytea', (event) => (event.result.length > 0 ? storedBody(event.result) : null)],
    traceparent: ['text', (event) => event.traceparent],
    raisedAt: ['timestamptz', (event) => event.raisedAt],
    redactedVersion: ['int', (event) => event.redactedVersion || null],
    isTestInteraction: ['boolean', (event) => event.isTest === true],
  });
  const pairs = events.flatMap(({ id, decisions }) =>
    decisions
      .filter(({ outcome }) => outcome === 'sent')
      .map(({ webhookId, isEnveloped }) => ({ eventId: id, webhookId, isEnveloped })),
  );
  const wanted = tableOf('wanted', pairs, {
    eventId: ['uuid', ({ eventId }) => eventId],
    webhookId: ['uuid', ({ webhookId }) => webhookId],
    isEnveloped: ['boolean', ({ isEnveloped }) => isEnveloped],
  });
  const columns = sql`id, workspace_id, name, about, customer_id, status, data, extra, result, traceparent, raised_at,
          redacted_version, is_test_interaction`;
  const { rows } = await sql<{ webhookId: string }>`
      with event as materialized (
        select * from ${given} where not exists (
          select from deleted_interaction as deleted
          where deleted.interaction_id = about and deleted.workspace_id = given.workspace_id)
      ), concerned as materialized (
        select event.workspace_id, event.id as event_id, webhook.id as webhook_id, raised_at,
          is_active and ${sinceOf('active_since')} <= raised_at as is_to_deliver,
          redacted_version is not null as is_redacted, is_enveloped, ${orderingKey} as ordering_key
        from ${wanted} join event on event.id = wanted.event_id
        join webhook on webhook.id = wanted.webhook_id and webhook.workspace_id = event.workspace_id
        where webhook.id = any(${uuids(webhooks.map(({ webhookId }) => webhookId))}::uuid[])
          and ${isListening}
      ), stored as (
        insert into event (${columns})
        select ${columns} from event where id in (select event_id from concerned)
        on conflict (id) do nothing
      ), opened as (
        insert into open_delivery (id, workspace_id, webhook_id, event_id, is_redacted, is_enveloped, ordering_key)
        select uuidv7(), workspace_id, webhook_id, event_id, is_redacted, is_enveloped, ordering_key
        from concerned where is_to_deliver order by raised_at, event_id
      ), skipped as (${insertFinished(skipped, sql`'skipped'`)}
      )
      select distinct webhook_id from concerned where is_to_deliver`.execute(trx);
  return rows.map((row) => row.webhookId);
}

/** In milliseconds, like completions. An activation in the future, as after a clock was set back, counts as past. */
function sinceOf(column: string) {
  const since = sql.ref(column);
  return sql`case when ${since} > now() then '-infinity' else date_trunc('milliseconds', ${since}) end`;
}

/** SQL that is true if a row of `webhook` listened at `raised_at`. */
const isListening = sql`(${sinceOf('listening_since')} <= raised_at or listened @> raised_at)`;

/** Returns a body as UTF-8 without NUL: any other body would fail the read of all lanes. */
function storedBody(body: Buffer): Buffer {
  const isText = isUtf8(body) && !body.includes(0);
  return isText ? body : Buffer.from(body.toString().replaceAll('\0', ''));
}

/** Returns a webhook that was deactivated as the API showed it then, also a deleted one. */
export async function describeWebhook(db: Db, { workspaceId, webhookId }: WebhookKey): Promise<object> {
  const row = await db
    .selectFrom('webhook')
    .select(['id', 'url', wantedEvents])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', webhookId)
    .executeTakeFirst();
  if (!row) return { id: webhookId };
  return { id: row.id, url: row.url, isActive: false, event: eventText(row.events) };
}

export async function eventsOfInteractions(db: Db, workspaceId: string, interactionIds: readonly string[]) {
  const { rows } = await sql<Pick<EventTable, 'id' | 'redactedVersion'> & EventOfInteraction>`
    select id, workspace_id, about as interaction_id, status, redacted_version from event
    where about = any(${interactionIds}::text[]) and about <> '' and workspace_id = ${workspaceId}
    order by id`.execute(reads(db));
  return rows;
}

/**
 * Replaces the bodies of events, unless they were replaced for a later version of the customer. Deletes the answers of
 * receivers; `recordOutcomes` stores none from then on. Ids must differ.
 */
export async function replaceBodies(
  db: Db,
  { workspaceId, customerVersion }: { workspaceId: string; customerVersion: number },
  bodies: readonly ({ id: string } & Pick<EventBody, 'interaction' | 'result'>)[],
): Promise<void> {
  const ids = bodies.map(({ id }) => id);
  const given = tableOf('given', bodies, {
    id: ['uuid', ({ id }) => id],
    data: ['bytea', ({ interaction }) => storedBody(interaction)],
    result: ['bytea', ({ result }) => (result.length > 0 ? storedBody(result) : null)],
  });
  await db.transaction().execute(async (trx) => {
    await sql`
      with locked as materialized (
        select id from event where id = any(${ids}::uuid[]) and workspace_id = ${workspaceId} order by id for update
      )
      update event set data = given.data, result = given.result, redacted_version = ${customerVersion}
      from ${given} join locked on locked.id = given.id
      where event.id = given.id and event.workspace_id = ${workspaceId}
        and coalesce(redacted_version, 0) <= ${customerVersion}`.execute(trx);
    await redactDeliveries(trx, workspaceId, ids);
  });
}
