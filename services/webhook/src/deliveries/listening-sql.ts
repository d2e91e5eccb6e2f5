import { type RawBuilder, sql } from 'kysely';

// A webhook listens from its activation until a caller deactivates it, or its receiver answers 410. Events of that time
// become its deliveries, whenever they arrive. A webhook that was deactivated because it failed still listens: its
// deliveries are skipped. Events have times in milliseconds. The range includes the millisecond in which it ends.

/** Limit of separate ranges. Beyond it, the ranges are merged. */
const rangesMax = 100;

/** The new `listened` of a row of `webhook` that stops listening now. */
export const listenedUntilNow: RawBuilder<string> = sql`
  case when (select count(*) from unnest(listened)) < ${sql.lit(rangesMax)} then listened
    else tstzmultirange(range_merge(listened)) end
  + tstzmultirange(tstzrange(date_trunc('milliseconds', listening_since), greatest(listening_since, now())))`;
