import { acrossWorkspaces } from '@parley/postgres/scope';
import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { type Kysely, sql } from 'kysely';
import type { Broker } from './nats.ts';
import { oldestOnItsWay } from './stream.ts';

const pollMs = 5_000;
const batchMax = 500;
/** How long after it was marked as published an event may come into the stream, and out of it and be committed. */
const graceSeconds = 10;

interface ConfirmOptions<Tables> {
  db: Kysely<Tables>;
  broker: Broker;
  logger: Logger;
  /** Of the events in the outbox. */
  subject: string;
  /** Those of the given events that the receiver does not hold. */
  findMissing: (eventIds: string[]) => Promise<string[]>;
}

/**
 * The reconciliation: JetStream acknowledges before it has synced to disk, so a published event counts as arrived only
 * when its receiver says that it holds it. Held ones leave the outbox; missing ones are published again. Asked about is
 * what can no longer come: sent before the oldest event that is still in the stream. So nothing is sent twice because its
 * receiver is slow or away, and whatever the broker forgets costs the grace, a round here and one of the relay: under 20
 * seconds. A round takes one batch, however many wait. Any number of copies may run.
 */
export function startConfirming<Tables>(options: ConfirmOptions<Tables>): Schedule {
  const { db, broker, logger, subject, findMissing } = options;
  return repeat('confirm', pollMs, logger, async (signal) => {
    const { manager } = await broker.streams(signal);
    const oldest = await oldestOnItsWay(manager, subject);
    const published = await sql<{ eventId: string }>`
      ${acrossWorkspaces('the reconciliation asks about whatever was sent')}
      select event_id from outbox
      where published_at < least(now(), ${oldest?.sentAt ?? null}) - make_interval(secs => ${graceSeconds})
      order by published_at limit ${batchMax}`.execute(db);
    const ids = published.rows.map((row) => row.eventId);
    if (ids.length === 0) return false;
    const missing = await findMissing(ids);
    await removeHeld(db, ids, missing);
    if (missing.length > 0) {
      logger.warn({ events: missing.length }, 'events were lost on their way and are sent again');
      await sendAgain(db, missing);
    }
    return ids.length === batchMax;
  });
}

// Skips what another copy has locked: it does the same with it.

async function removeHeld<Tables>(db: Kysely<Tables>, asked: string[], missing: string[]): Promise<void> {
  const gone = new Set(missing);
  const held = asked.filter((id) => !gone.has(id));
  await sql`
    ${acrossWorkspaces('the reconciliation drops what has arrived')}
    delete from outbox where event_id = any(array(
      select event_id from outbox where event_id = any(${held}::uuid[]) for update skip locked))`.execute(db);
}

/** But not what was sent again since: another copy may have asked about it at the same time. */
async function sendAgain<Tables>(db: Kysely<Tables>, missing: string[]): Promise<void> {
  await sql`
    ${acrossWorkspaces('the reconciliation sends again what was lost')}
    update outbox set published_at = null where event_id = any(array(
      select event_id from outbox where event_id = any(${missing}::uuid[])
        and published_at < now() - make_interval(secs => ${graceSeconds}) for update skip locked))`.execute(
    db,
  );
}
