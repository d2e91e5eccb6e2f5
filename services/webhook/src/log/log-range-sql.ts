import { type RawBuilder, sql } from 'kysely';
import type { FinalState, WebhookKey } from '../schema.ts';

/** A range of a webhook's log: deliveries in these states, by creation time and id. */
export interface LogRange extends WebhookKey {
  states: readonly string[];
  /** By the time in the id of a delivery. */
  since: Date | null;
  /** Exclusive, as are the ids. */
  until: Date | null;
  afterId?: string | null;
  beforeId?: string | null;
}

// These queries compare whole rows with the index. With other conditions, the planner could sort a whole log or read
// rows of other webhooks. For the same reason, they check the workspace after the limit.

/** SQL for the last open deliveries of the range. The condition on `created_at` is in the words of the index. */
export function lastOpen(
  range: LogRange,
  columns: RawBuilder<unknown>,
  rowsMax: number,
): RawBuilder<unknown> {
  const { after, before } = idRangeOf(range);
  return sql`(
      select ${columns} from open_delivery
      where (webhook_id, id) > (${range.webhookId}, ${after}) and (webhook_id, id) < (${range.webhookId}, ${before})
        and created_at > '-infinity' and 'pending' = any(${range.states}::text[])
      order by webhook_id desc, id desc limit ${sql.lit(rowsMax)})`;
}

/** SQL for the first or the last finished deliveries of the range, of one state. */
export function finishedIn(
  range: LogRange,
  state: FinalState,
  { columns, order, rowsMax }: { columns: RawBuilder<unknown>; order: 'asc' | 'desc'; rowsMax: number },
): RawBuilder<unknown> {
  const { after, before } = idRangeOf(range);
  const place = sql`${range.webhookId}, ${sql.lit(state)}`;
  const by = sql.raw(order);
  return sql`(
      select ${columns} from finished_delivery
      where (webhook_id, state, id) > (${place}, ${after}) and (webhook_id, state, id) < (${place}, ${before})
        and ${sql.lit(state)} = any(${range.states}::text[])
        -- Skips the partitions of the days before.
        and finished_at >= coalesce(${range.since}::timestamptz, '-infinity') - interval '1 minute'
      order by webhook_id ${by}, state ${by}, id ${by} limit ${sql.lit(rowsMax)})`;
}

/** The greatest id. */
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const idMsMax = 2 ** 48 - 1;

/** Returns the ids between which the ids of the range are, both exclusive. Ids sort alike as text. */
export function idRangeOf({ since, until, afterId, beforeId }: LogRange): { after: string; before: string } {
  const first = firstIdAt(since?.getTime() ?? 0);
  const last = until ? firstIdAt(until.getTime()) : lastId;
  return {
    after: afterId && afterId > first ? afterId : first,
    before: beforeId && beforeId < last ? beforeId : last,
  };
}

/** Returns the lower bound of ids of that time. The first 48 bits of a UUIDv7 are milliseconds (RFC 9562). */
export function firstIdAt(ms: number): string {
  const hex = Math.min(idMsMax, Math.max(0, ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
