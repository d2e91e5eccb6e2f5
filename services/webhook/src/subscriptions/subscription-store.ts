import { type EventName, inOrder } from '@parley/contracts/event-names';
import { reads } from '@parley/postgres/dialect';
import { sql } from 'kysely';
import type { Db, SubscriptionTable, WebhookKey } from '../schema.ts';

/** What a webhook wants, from an instant on. */
export type Subscription = SubscriptionTable;

/** What a webhook subscribes to. */
export type Wanted = Pick<SubscriptionTable, 'events' | 'filter' | 'isEnveloped'>;

/** Of a new webhook without a choice. */
export const wantedByDefault: Wanted = { events: ['InteractionCompleted'], filter: null, isEnveloped: false };

/** Returns the names as the API shows them in one text. */
export function eventText(events: readonly EventName[]): string {
  return inOrder(events).join(',');
}

/** Returns what the webhooks of these workspaces want and have wanted, newest first. */
export async function loadSubscriptions(db: Db, workspaceIds: readonly string[]): Promise<Subscription[]> {
  const { rows } = await sql<Subscription>`
    select subscription.* from subscription
    join webhook on webhook.id = subscription.webhook_id and webhook.workspace_id = subscription.workspace_id
    where subscription.workspace_id = any(${workspaceIds}::uuid[]) and webhook.deleted_at is null
    order by subscription.webhook_id, since desc`.execute(reads(db));
  return rows;
}

/** Returns, of each webhook of the workspace, what it wanted at that time, if it wanted this event. */
export function subscribersOf(
  all: readonly Subscription[],
  { workspaceId, name, raisedAt }: { workspaceId: string; name: EventName; raisedAt: Date },
): Subscription[] {
  const decided = new Set<string>();
  return all.filter((one) => {
    if (one.workspaceId !== workspaceId || one.since > raisedAt || decided.has(one.webhookId)) return false;
    decided.add(one.webhookId);
    return one.events.includes(name);
  });
}

/** Returns what a webhook wants now. */
export async function currentWanted(db: Db, { workspaceId, webhookId }: WebhookKey): Promise<Wanted> {
  const { rows } = await sql<Wanted>`
    select events, filter, is_enveloped from subscription
    where webhook_id = ${webhookId} and workspace_id = ${workspaceId} order by since desc limit 1`.execute(
    db,
  );
  return rows[0] ?? wantedByDefault;
}

/** Records what a webhook wants from now on. Call it in the transaction that has locked the webhook. */
export async function changeWanted(
  db: Db,
  { workspaceId, webhookId }: WebhookKey,
  { events, filter, isEnveloped }: Wanted,
): Promise<void> {
  await sql`
    insert into subscription (webhook_id, workspace_id, since, events, filter, is_enveloped)
    values (${webhookId}, ${workspaceId}, clock_timestamp(), ${inOrder(events)}, ${filter}, ${isEnveloped})
    on conflict (webhook_id, since) do update
      set events = excluded.events, filter = excluded.filter, is_enveloped = excluded.is_enveloped`.execute(
    db,
  );
}
