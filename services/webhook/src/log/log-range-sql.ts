import { unseen } from '@parley/postgres/unseen';
import { type RawBuilder, sql } from 'kysely';
import type { FinalState } from '../deliveries/delivery-state.ts';

/** A stretch of a webhook's log: the deliveries that were made in a time, and whose ids lie between two. */
export interface LogRange {
  webhookId: string;
  since: Date | null;
  /** Exclusive, as are the ids. */
  until: Date | null;
  afterId: string | null;
  beforeId: string | null;
}

// Conditions for a `where` with a limit, written such that the planner has no choice, whatever it knows or believes of the
// values: whole rows are compared with those of the index, so that no other one has the order, and nothing makes the
// rows look few, least of all the webhook. Else it reads and sorts all that there are, sooner or later, or passes over
// those of other webhooks. For that reason there is no workspace in them: it is asked for behind the limit.

/** Those that are open; to be ordered by `webhook_id, id`. `created_at` is what the index of the log is restricted to. */
export function openIn(range: LogRange): RawBuilder<boolean> {
  const { after, before } = idsOf(range);
  const place = unseen(range.webhookId, 'uuid');
  return sql`
    (webhook_id, id) > (${place}, ${after}) and (webhook_id, id) < (${place}, ${before})
    and created_at > '-infinity' and ${isMadeIn(range)}`;
}

/** Those that are finished, of one state; to be ordered by `webhook_id, state, id`. */
export function finishedIn(range: LogRange, state: FinalState): RawBuilder<boolean> {
  const { after, before } = idsOf(range);
  const place = sql`${unseen(range.webhookId, 'uuid')}, ${sql.lit(state)}`;
  return sql`
    (webhook_id, state, id) > (${place}, ${after}) and (webhook_id, state, id) < (${place}, ${before})
    and ${isMadeIn(range)}
    -- Skips the partitions of the days before.
    and finished_at >= coalesce(${range.since}::timestamptz, '-infinity') - interval '1 minute'`;
}

/** Those that were made in that time. */
export function isMadeIn({ since, until }: Pick<LogRange, 'since' | 'until'>): RawBuilder<boolean> {
  return sql`
    (created_at < ${since}::timestamptz) is not true and (created_at >= ${until}::timestamptz) is not true`;
}

/** The id of a delivery is made within this time of the `createdAt` that is stored with it. */
const idMarginMs = 60_000;
const idMsMax = 2 ** 48 - 1;

/** Ids as text have the order of ids. */
function idsOf({ since, until, afterId, beforeId }: LogRange): { after: string; before: string } {
  const first = firstIdAt(since ? since.getTime() - idMarginMs : 0);
  const last = until ? firstIdAt(until.getTime() + idMarginMs) : 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  return {
    after: afterId !== null && afterId > first ? afterId : first,
    before: beforeId !== null && beforeId < last ? beforeId : last,
  };
}

/** Smaller than any id that is made at that time: the first 48 bits are its milliseconds (UUIDv7, RFC 9562). */
function firstIdAt(ms: number): string {
  const hex = Math.min(idMsMax, Math.max(0, ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
