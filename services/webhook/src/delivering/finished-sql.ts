import { type RawBuilder, sql } from 'kysely';
import { finalStates } from './delivery-state.ts';

/**
 * SQL that puts deliveries among the finished ones: `from` has them, with the columns of open ones, and `state` says in which
 * state they end.
 */
export function insertFinished(from: RawBuilder<unknown>, state: RawBuilder<unknown> = sql`state`) {
  return sql`
      insert into finished_delivery (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at)
      select id, workspace_id, webhook_id, event_id, ${state}, attempts, is_redacted, created_at from ${from}`;
}

/** True for each finished delivery; it names the states, which come before the id in the index of a webhook's log. */
export const isInAnyState = sql<boolean>`state = any(array[${sql.join(finalStates.map((state) => sql.lit(state)))}])`;
