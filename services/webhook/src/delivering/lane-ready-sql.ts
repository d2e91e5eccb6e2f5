import { sql } from 'kysely';

/**
 * SQL for the `ready_at` of a lane that something due was added to: where it was served last is its place in the queue. One
 * that is full stays as it is, until a result comes; nothing is ready before a pause is over and a token is there.
 */
export const readiedAt = sql<Date | null>`case
  when lane.is_full then lane.ready_at
  else greatest(least(lane.ready_at, lane.served_at), lane.paused_until, lane.next_token_at) end`;
