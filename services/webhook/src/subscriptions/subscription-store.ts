import { filterUnits } from '@parley/bot/event-filter';
import { type EventName, eventsInOrder } from '@parley/contracts/event-names';
import { tableOf } from '@parley/postgres/sql/arrays';
import { reads } from '@parley/postgres/sql/dialect';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { sql } from 'kysely';
import type { Db, SubscriptionTable, WebhookKey } from '../schema.ts';

/** A webhook that wants an event, its filter, since when, and the form of its bodies. */
export interface Subscriber
  extends Pick<SubscriptionTable, 'webhookId' | 'since' | 'filter' | 'isEnveloped'> {
  /** Whether it is ordered, and had another filter before, which may have been costly. */
  hadFilter: boolean;
  /** The most work of an event for it, in units of about a nanosecond. */
  units: number;
}

export type Wanted = Pick<SubscriptionTable, 'events' | 'filter' | 'isEnveloped'>;

/** Of a new webhook without a choice. */
export const wantedByDefault: Wanted = { events: ['InteractionCompleted'], filter: null, isEnveloped: false };

/** Older changes are needed only for events that arrive after so many changes. */
export const subscriptionChangesMax = 1_000;

export function eventText(events: readonly EventName[]): string {
  return events.join(',');
}

/** The column with the names of the events that a row of `webhook` wants now. */
export const wantedEvents = sql<EventName[]>`coalesce((
  select subscription.events from subscription
  where subscription.webhook_id = webhook.id and subscription.workspace_id = webhook.workspace_id
  order by since desc limit 1), ${wantedByDefault.events}::text[])`.as('events');

interface Raised {
  id: string;
  workspaceId: string;
  name: EventName;
  raisedAt: Date;
  /** The webhook that it is about, if any. */
  webhookId?: string | undefined;
}

/** The work of storing a delivery. */
const deliveryUnits = 50_000;

/** Returns the most work of an event for a webhook with this filter, in units of about a nanosecond. */
export function subscriberUnits(filter: string | null): number {
  return deliveryUnits + (filter === null ? 0 : filterUnits(filter));
}

/**
 * Returns the webhooks that wanted each event when it was raised, by the ids of events. A webhook does not receive its
 * own deactivation.
 */
export async function loadSubscribers(
  db: Db,
  events: readonly Raised[],
): Promise<ReadonlyMap<string, Subscriber[]>> {
  const byWorkspace = Map.groupBy(await loadPeriods(db, events), ({ workspaceId }) => workspaceId);
  const subscribers = new Map<string, Subscriber[]>();
  for (const { id, workspaceId, name, raisedAt, webhookId } of events) {
    const own = (byWorkspace.get(workspaceId) ?? []).filter(
      (one) =>
        one.since <= raisedAt &&
        (one.until === null || raisedAt < one.until) &&
        one.events.includes(name) &&
        one.webhookId !== webhookId,
    );
    if (own.length > 0) subscribers.set(id, own);
  }
  return subscribers;
}

/** Returns the ids of the events that webhooks wanted when they were raised. Reads no filter. */
export async function listWanted(db: Db, events: readonly Raised[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${ofOwnWorkspace}
    select raised.id from ${raisedTable(events)} where exists (
      select from webhook where webhook.workspace_id = raised.workspace_id and deleted_at is null
        and webhook.id is distinct from raised.about_webhook
        and raised.name = any((
          select events from subscription
          where webhook_id = webhook.id and subscription.workspace_id = webhook.workspace_id and since <= raised_at
          order by since desc limit 1)::text[]))`.execute(reads(db));
  return rows.map(({ id }) => id);
}

const ofOwnWorkspace = acrossWorkspaces('events meet webhooks of their own workspace');

function raisedTable(events: readonly Raised[]) {
  return tableOf('raised', events, {
    id: ['uuid', ({ id }) => id],
    workspaceId: ['uuid', ({ workspaceId }) => workspaceId],
    name: ['text', ({ name }) => name],
    raisedAt: ['timestamptz', ({ raisedAt }) => raisedAt],
    aboutWebhook: ['uuid', ({ webhookId }) => webhookId ?? null],
  });
}

/** What a webhook wanted from `since` until `until`; null: until now. */
interface Period extends Subscriber, Pick<SubscriptionTable, 'workspaceId' | 'events'> {
  until: Date | null;
}

/** Returns the periods in which these events were raised: mostly one of each webhook, however many events there are. */
async function loadPeriods(db: Db, events: readonly Raised[]): Promise<Period[]> {
  if (events.length === 0) return [];
  const { rows } = await sql<Omit<Period, 'units'>>`
    ${ofOwnWorkspace}
    with raised as materialized (select workspace_id, raised_at from ${raisedTable(events)}),
    span as (
      select workspace_id, min(raised_at) as first, max(raised_at) as last from raised group by workspace_id
    )
    select webhook.workspace_id, webhook.id as webhook_id, since, until, events, period.filter, is_enveloped,
      ordering <> 'none' and exists (
        select from subscription as earlier
        where earlier.webhook_id = webhook.id and earlier.workspace_id = webhook.workspace_id
          and earlier.since < period.since and earlier.filter is not null) as had_filter
    from span join webhook on webhook.workspace_id = span.workspace_id and deleted_at is null
    cross join lateral (
      select since, lead(since) over (order by since) as until, events, subscription.filter, is_enveloped
      from subscription
      where webhook_id = webhook.id and subscription.workspace_id = webhook.workspace_id and since <= last
        and since >= coalesce((
          select max(since) from subscription as before
          where before.webhook_id = webhook.id and before.workspace_id = webhook.workspace_id
            and before.since <= first), '-infinity')
    ) as period
    where exists (
      select from raised where raised.workspace_id = webhook.workspace_id
        and raised_at >= since and (until is null or raised_at < until))
    order by webhook_id, since`.execute(reads(db));
  return rows.map((row) => ({ ...row, units: subscriberUnits(row.filter) }));
}

export async function currentWanted(db: Db, { workspaceId, webhookId }: WebhookKey): Promise<Wanted> {
  const { rows } = await sql<Wanted>`
    select events, filter, is_enveloped from subscription
    where webhook_id = ${webhookId} and workspace_id = ${workspaceId} order by since desc limit 1`.execute(
    reads(db),
  );
  return rows[0] ?? wantedByDefault;
}

/**
 * Records what a webhook wants from now on, in milliseconds, like the times of events. After a clock was set back, it
 * is from the last change on. Call it in the transaction that has locked the webhook.
 */
export async function changeWanted(
  db: Db,
  { workspaceId, webhookId }: WebhookKey,
  { events, filter, isEnveloped }: Wanted,
): Promise<void> {
  await sql`
    insert into subscription (webhook_id, workspace_id, since, events, filter, is_enveloped)
    select ${webhookId}::uuid, ${workspaceId}::uuid,
      greatest(date_trunc('milliseconds', clock_timestamp()), max(since)), ${eventsInOrder(events)}, ${filter}, ${isEnveloped}
    from subscription where webhook_id = ${webhookId} and workspace_id = ${workspaceId}
    on conflict (webhook_id, since) do update
      set events = excluded.events, filter = excluded.filter, is_enveloped = excluded.is_enveloped
      where subscription.workspace_id = excluded.workspace_id`.execute(db);
  await sql`
    delete from subscription where webhook_id = ${webhookId} and workspace_id = ${workspaceId} and since < (
      select since from subscription where webhook_id = ${webhookId} and workspace_id = ${workspaceId}
      order by since desc offset ${sql.lit(subscriptionChangesMax)} limit 1)`.execute(db);
}
