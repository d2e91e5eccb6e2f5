import { type RawBuilder, sql } from 'kysely';

// A webhook listens from its activation until somebody deactivates it, or its receiver is gone: events of that time become
// deliveries of it, whenever they come. While it is off because it failed it goes on listening: they become skipped ones.
// Events have their times in milliseconds: one of the very millisecond in which it stops counts as listened to.

/** Limit of separate ranges. Beyond it, the ranges are merged. */
const stretchesMax = 100;

/** `listened` of a row of `webhook` that stops listening now. */
export const listenedUntilNow: RawBuilder<string> = sql`
  case when (select count(*) from unnest(listened)) < ${sql.lit(stretchesMax)} then listened
    else tstzmultirange(range_merge(listened)) end
  + tstzmultirange(tstzrange(date_trunc('milliseconds', listening_since), greatest(listening_since, now())))`;
