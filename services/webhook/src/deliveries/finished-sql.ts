import { type RawBuilder, sql } from 'kysely';
import { finalStates } from '../schema.ts';

const columns = sql`
  id, workspace_id, webhook_id, event_id, attempts, manual_attempts, is_redacted, is_enveloped, created_at`;

/** Not before the creation, even if the clock was set back: reads of the log skip earlier partitions. */
const finishedAt = sql<Date>`greatest(now(), created_at)`;

export const resultColumns = sql`started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, status, error`;

/** The columns of a logged attempt. The row of a finished delivery has the columns of the last attempt. */
export const attemptColumns = sql`${resultColumns}, response_excerpt, pause_ms`;

/** The number of the attempt in a row with these columns. An uncounted attempt has the next attempt's number. */
export const attemptNumber = sql<number>`attempts + (pause_ms is not null)::int`;

/** SQL that inserts finished deliveries in a state. `from` has the columns of open ones. */
export function insertFinished(from: RawBuilder<unknown>, state: RawBuilder<unknown>) {
  return sql`
      insert into finished_delivery (${columns}, state, finished_at)
      select ${columns}, ${state}, ${finishedAt} from ${from}`;
}

/** SQL that inserts deliveries that an attempt ended. `from` also has the attempt's columns; null: nothing was sent. */
export function insertFinishedByAttempt(from: RawBuilder<unknown>) {
  return sql`
      insert into finished_delivery (${columns}, state, finished_at, ${attemptColumns})
      select ${columns}, state, ${finishedAt}, ${attemptColumns} from ${from}`;
}

/** True for each finished delivery. It lets the planner use the index of the log, where the state precedes the id. */
export const isInAnyState = sql<boolean>`state = any(array[${sql.join(finalStates.map((state) => sql.lit(state)))}])`;
