import { acrossWorkspaces } from '@parley/postgres/scope';
import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { type Kysely, sql } from 'kysely';
import type { Broker } from './nats.ts';
import { oldestInStream } from './stream.ts';

const pollMs = 5_000;
const batchMax = 500;
/** How long an event may take from being marked as published to being committed by its receiver. */
const graceSeconds = 10;

interface ReconciliationOptions<Tables> {
  db: Kysely<Tables>;
  broker: Broker;
  logger: Logger;
  /** The subject of the events in the outbox. */
  subject: string;
  /** Returns the given events that the receiver does not have. */
  findMissing: (eventIds: string[]) => Promise<string[]>;
}

/**
 * Starts the reconciliation. JetStream acknowledges a message before it syncs it to disk, so an event counts as arrived
 * only when its receiver confirms it. Confirmed events leave the outbox; missing events are republished.
 *
 * Only events that were sent before the oldest event in the stream are checked, so that a slow or unavailable receiver
 * causes no duplicates. An event that the broker loses arrives within 20 seconds: the grace, one round here and one of
 * the relay. A round checks one batch. Any number of replicas may run it.
 */
export function startReconciliation<Tables>(options: ReconciliationOptions<Tables>): Schedule {
  const { db, broker, logger, subject, findMissing } = options;
  return repeat('reconcile', pollMs, logger, async (signal) => {
    const { manager } = await broker.streams(signal);
    const oldest = await oldestInStream(manager, subject);
    const published = await sql<{ eventId: string }>`
      ${acrossWorkspaces('the reconciliation checks the events of all workspaces')}
      select event_id from outbox
      where published_at < least(now(), ${oldest?.sentAt ?? null}) - make_interval(secs => ${graceSeconds})
      order by published_at limit ${batchMax}`.execute(db);
    const ids = published.rows.map((row) => row.eventId);
    if (ids.length === 0) return false;
    const missing = await findMissing(ids);
    await deleteConfirmed(db, ids, missing);
    if (missing.length > 0) {
      logger.warn({ events: missing.length }, 'events were lost in transit and are republished');
      await republish(db, missing);
    }
    return ids.length === batchMax;
  });
}

// Both statements skip rows that another replica has locked: it makes the same change.

async function deleteConfirmed<Tables>(
  db: Kysely<Tables>,
  asked: string[],
  missing: string[],
): Promise<void> {
  const lost = new Set(missing);
  const confirmed = asked.filter((id) => !lost.has(id));
  await sql`
    ${acrossWorkspaces('the reconciliation deletes events that have arrived')}
    delete from outbox where event_id = any(array(
      select event_id from outbox where event_id = any(${confirmed}::uuid[]) for update skip locked))`.execute(
    db,
  );
}

/** Skips events that were republished since: another replica may have checked them at the same time. */
async function republish<Tables>(db: Kysely<Tables>, missing: string[]): Promise<void> {
  await sql`
    ${acrossWorkspaces('the reconciliation republishes lost events')}
    update outbox set published_at = null where event_id = any(array(
      select event_id from outbox where event_id = any(${missing}::uuid[])
        and published_at < now() - make_interval(secs => ${graceSeconds}) for update skip locked))`.execute(
    db,
  );
}
