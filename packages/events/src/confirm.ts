import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { type Kysely, sql } from 'kysely';

const pollMs = 5_000;
const batchMax = 500;
/** How long a published event may be on its way before it is asked for. */
const graceSeconds = 10;

interface ConfirmOptions<Tables> {
  db: Kysely<Tables>;
  logger: Logger;
  /** Those of the given events that the receiver does not hold. */
  findMissing: (eventIds: string[]) => Promise<string[]>;
}

/**
 * The reconciliation: JetStream acknowledges before it has synced to disk, so a published event counts as arrived only
 * when its receiver says that it holds it. Held ones leave the outbox; missing ones are published again. Whatever the
 * broker forgets costs at most the grace, one round here and one of the relay: under 20 seconds.
 */
export function startConfirming<Tables>({ db, logger, findMissing }: ConfirmOptions<Tables>): Schedule {
  return repeat('confirm', pollMs, logger, async () => {
    const published = await sql<{ eventId: string }>`
      select event_id from outbox
      where published_at < now() - make_interval(secs => ${graceSeconds})
      order by published_at limit ${batchMax}`.execute(db);
    const ids = published.rows.map((row) => row.eventId);
    if (ids.length === 0) return false;
    const missing = new Set(await findMissing(ids));
    const held = ids.filter((id) => !missing.has(id));
    await sql`delete from outbox where event_id = any(${held}::uuid[])`.execute(db);
    if (missing.size > 0) {
      logger.warn({ events: missing.size }, 'events were lost on their way and are sent again');
      await sql`update outbox set published_at = null where event_id = any(${[...missing]}::uuid[])`.execute(
        db,
      );
    }
    return ids.length === batchMax;
  });
}
