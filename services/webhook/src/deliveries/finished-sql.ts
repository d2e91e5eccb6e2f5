import { type RawBuilder, sql } from 'kysely';
import { finalStates } from './delivery-state.ts';

const columns = sql`id, workspace_id, webhook_id, event_id, attempts, is_redacted, created_at`;

/** Never before it was made, whatever the clock says: the log skips the partitions of the days before. */
const finishedAt = sql<Date>`greatest(now(), created_at)`;

/** What is known of an attempt, where it was logged: of the last one in the row of its finished delivery. */
export const attemptColumns = sql`started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, status, error,
        response_excerpt, pause_ms`;

/** The number of the last attempt in a row that has these columns: one that is not counted has that of the next one. */
export const attemptNumber = sql<number>`attempts + (pause_ms is not null)::int`;

/**
 * SQL that puts deliveries among the finished ones: `from` has them, with the columns of open ones, and `state` says in which
 * state they end.
 */
export function insertFinished(from: RawBuilder<unknown>, state: RawBuilder<unknown> = sql`state`) {
  return sql`
      insert into finished_delivery (${columns}, state, finished_at)
      select ${columns}, ${state}, ${finishedAt} from ${from}`;
}

/** The same for deliveries that an attempt has ended, which `from` has as well; all null where nothing was sent. */
export function insertFinishedByAttempt(from: RawBuilder<unknown>) {
  return sql`
      insert into finished_delivery (${columns}, state, finished_at, ${attemptColumns})
      select ${columns}, state, ${finishedAt}, ${attemptColumns} from ${from}`;
}

/** True for each finished delivery; it names the states, which come before the id in the index of a webhook's log. */
export const isInAnyState = sql<boolean>`state = any(array[${sql.join(finalStates.map((state) => sql.lit(state)))}])`;
