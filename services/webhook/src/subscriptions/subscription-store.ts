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
 * Returns the webhooks that wanted each event when it was raised, by the ids of events. Reads one row of each webhook
 * of the workspace for an event, however often a webhook has changed, and each filter once.
 */
export async function loadSubscribers(
  db: Db,
  events: readonly Raised[],
): Promise<ReadonlyMap<string, Subscriber[]>> {
  const { rows } = await sql<Found>`
    ${ofOwnWorkspace}
    select event_id, webhook.id as webhook_id, since, wanted.is_enveloped,
      ordering <> 'none' and exists (
        select from subscription as earlier
        where earlier.webhook_id = webhook.id and earlier.workspace_id = webhook.workspace_id
          and earlier.since < wanted.since and earlier.filter is not null) as had_filter,
      case when row_number() over (partition by webhook.id, since) = 1 then wanted.filter end as filter
    from ${wantedAmong(events)}
    order by webhook_id, since, filter`.execute(reads(db));
  const subscribers = new Map<string, Subscriber[]>();
  let current: Subscriber | undefined;
  for (const { eventId, ...found } of rows) {
    const isSame =
      current?.webhookId === found.webhookId && current.since.getTime() === found.since.getTime();
    if (!current || !isSame) current = { ...found, units: subscriberUnits(found.filter) };
    const ofEvent = subscribers.get(eventId);
    if (ofEvent) ofEvent.push(current);
    else subscribers.set(eventId, [current]);
  }
  return subscribers;
}

/** Returns the ids of the events that webhooks wanted when they were raised. Reads no filter. */
export async function listWanted(db: Db, events: readonly Raised[]): Promise<string[]> {
  const { rows } = await sql<{ eventId: string }>`
    ${ofOwnWorkspace}
    select distinct event_id from ${wantedAmong(events)}`.execute(reads(db));
  return rows.map(({ eventId }) => eventId);
}

const ofOwnWorkspace = acrossWorkspaces('events meet webhooks of their own workspace');

/** SQL for `from`: each event with each webhook that wanted it. A webhook does not receive its own deactivation. */
function wantedAmong(events: readonly Raised[]) {
  const raised = tableOf('raised', events, {
    eventId: ['uuid', ({ id }) => id],
    workspaceId: ['uuid', ({ workspaceId }) => workspaceId],
    name: ['text', ({ name }) => name],
    raisedAt: ['timestamptz', ({ raisedAt }) => raisedAt],
    aboutWebhook: ['uuid', ({ webhookId }) => webhookId ?? null],
  });
  return sql`${raised}
    join webhook on webhook.workspace_id = raised.workspace_id and deleted_at is null
    cross join lateral (
      select since, events, subscription.filter, is_enveloped from subscription
      where webhook_id = webhook.id and subscription.workspace_id = webhook.workspace_id and since <= raised_at
      order by since desc limit 1
    ) as wanted
    where raised.name = any(wanted.events) and webhook.id is distinct from raised.about_webhook`;
}

/** What a webhook wanted when an event was raised. The filter is in the first row of each `since`. */
interface Found extends Omit<Subscriber, 'units'> {
  eventId: string;
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
