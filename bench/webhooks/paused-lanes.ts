import { setTimeout as pause } from 'node:timers/promises';
import type { Take } from '@parley/events/consumer';
import { inboxOf } from '@parley/events/inbox';
import { sql } from 'kysely';
import { storeEventsAndDeliveries } from '../../services/webhook/src/intake/event-store.ts';
import { type Completion, completions } from './contents.ts';
import type { Hook, Service } from './service.ts';

type Lanes = Pick<Service, 'db' | 'notify'>;

const batch = 500;
const pollMs = 250;
/** After this time the owner has read the pause, and has marked or recorded its deliveries in flight. */
const settledMs = 2_000;

/**
 * Stores this many events for the webhooks in turn, by the service's own statement. None is sent before `resumeLanes`.
 */
export async function enqueuePaused(lanes: Lanes, hooks: readonly Hook[], number: number): Promise<void> {
  await pauseLanes(lanes, hooks);
  for (let done = 0; done < number; done += batch) {
    const hookOf = (index: number): Hook | undefined => hooks[(done + index) % hooks.length];
    await storeCompletions(lanes.db, completions(Math.min(batch, number - done)), hookOf);
  }
}

/** Stores the events of completions like the service's consumer. An event has the id of its interaction. */
export async function storeCompletions(
  db: Service['db'],
  all: readonly Completion[],
  hookOf: (index: number) => Hook | undefined,
): Promise<void> {
  const raisedAt = new Date();
  const events = all.map(({ id, body }, index) => ({
    id,
    workspaceId: hookOf(index)?.workspaceId ?? '',
    name: 'InteractionCompleted' as const,
    interactionId: id,
    customerId: 'customer-4711',
    status: 'Completed',
    extra: {},
    interaction: Buffer.from('{}'),
    result: Buffer.from(body),
    traceparent: null,
    raisedAt,
    customerVersion: 0,
    redactedVersion: 0,
    decisions: [{ webhookId: hookOf(index)?.id ?? '', isEnveloped: false, outcome: 'sent' as const }],
  }));
  const inbox = inboxOf(db, 'webhook');
  const take: Take = (trx, ids = []) => inbox.take(trx, ids);
  await storeEventsAndDeliveries(db, events, { take });
}

/** Pauses lanes like a change by the API: deliveries in flight continue. */
export async function pauseLanes({ db, notify }: Lanes, hooks: readonly Hook[]): Promise<void> {
  await sql`
    update lane set paused_until = now() + interval '1 year', revision = revision + 1
    where webhook_id = any(${idsOf(hooks)}::uuid[])`.execute(db);
  notify(idsOf(hooks));
}

/** Pauses lanes and waits until none of their deliveries is in flight. */
export async function pauseUntilIdle(
  lanes: Lanes,
  hooks: readonly Hook[],
  ended: AbortSignal,
): Promise<void> {
  await pauseLanes(lanes, hooks);
  await pause(settledMs, undefined, { signal: ended });
  for (;;) {
    const { rows } = await sql`
      select from open_delivery where claimed_by is not null and webhook_id = any(${idsOf(hooks)}::uuid[]) limit 1`.execute(
      lanes.db,
    );
    if (rows.length === 0) return;
    await pause(pollMs, undefined, { signal: ended });
  }
}

/** Resumes lanes as new webhooks have them, and notifies the service. */
export async function resumeLanes({ db, notify }: Lanes, hooks: readonly Hook[]): Promise<void> {
  await sql`
    update lane set paused_until = null, pause_reason = null, openings = 0, failing_since = null,
      failing_again_at = null, revision = revision + 1
    where webhook_id = any(${idsOf(hooks)}::uuid[])`.execute(db);
  notify(idsOf(hooks));
}

function idsOf(hooks: readonly Hook[]): string[] {
  return hooks.map(({ id }) => id);
}
