import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { takeEvents } from '../../services/webhook/src/intake/event-store.ts';
import type { Tables } from '../../services/webhook/src/schema.ts';
import { completions } from './contents.ts';
import type { Hook } from './service.ts';

const batch = 500;
const pollMs = 250;

/** Has so many events taken in for the webhooks in turn, by the service's own statement, without anything being due yet. */
export async function holdBack(db: Kysely<Tables>, hooks: readonly Hook[], number: number): Promise<void> {
  await sql`update lane set paused_until = 'infinity' where webhook_id = any(${idsOf(hooks)}::uuid[])`.execute(
    db,
  );
  for (let done = 0; done < number; done += batch) {
    const events = completions(Math.min(batch, number - done)).map(({ id, body }, index) => ({
      id,
      workspaceId: hooks[(done + index) % hooks.length]?.workspaceId ?? '',
      customerId: 'customer-4711',
      body: Buffer.from(body),
      traceparent: null,
      completedAt: null,
    }));
    await takeEvents(db, events);
  }
}

/** Nothing more of the webhooks is taken. What is under way goes on, and its results may make their lanes ready again. */
async function hold(db: Kysely<Tables>, hooks: readonly Hook[]): Promise<void> {
  await sql`
    update lane set paused_until = 'infinity', ready_at = case when ready_at is not null then timestamptz 'infinity' end
    where webhook_id = any(${idsOf(hooks)}::uuid[])`.execute(db);
}

/** Holds, until nothing is under way any more. */
export async function holdUntilQuiet(
  db: Kysely<Tables>,
  hooks: readonly Hook[],
  ended: AbortSignal,
): Promise<void> {
  for (;;) {
    await hold(db, hooks);
    const { rows } = await sql`
      select from open_delivery where lease_token is not null and webhook_id = any(${idsOf(hooks)}::uuid[]) limit 1`.execute(
      db,
    );
    if (rows.length === 0) return;
    await pause(pollMs, undefined, { signal: ended });
  }
}

/** Makes all that was held back due at once. The service looks for it by itself, twice a second. */
export async function letGo(db: Kysely<Tables>, hooks: readonly Hook[]): Promise<void> {
  await sql`
    update lane set paused_until = null, ready_at = case when ready_at is not null then served_at end
    where webhook_id = any(${idsOf(hooks)}::uuid[])`.execute(db);
}

function idsOf(hooks: readonly Hook[]): string[] {
  return hooks.map(({ id }) => id);
}
