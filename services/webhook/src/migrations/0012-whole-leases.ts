import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/**
 * A lease has a token and an end, or neither. Those that are still in `due_at`, from before there was a column for their
 * end, get it there and are counted in their lanes.
 */
export const wholeLeases: Migration = {
  up: async (db) => {
    // In the order in which claims lock them.
    await sql`lock table lane, open_delivery in access exclusive mode`.execute(db);
    await sql`
      with moved as (
        update open_delivery set lease_end = due_at, due_at = least(due_at, now())
        where lease_token is not null and lease_end is null
        returning webhook_id, lease_end
      )
      update lane set under_way = under_way + counted.number, lapses_at = least(lane.lapses_at, counted.lapses_at)
      from (
        select webhook_id, count(*)::int as number, min(lease_end) as lapses_at from moved group by webhook_id
      ) as counted
      where lane.webhook_id = counted.webhook_id`.execute(db);
    await sql`update open_delivery set lease_end = null where lease_token is null and lease_end is not null`.execute(
      db,
    );
    await sql`
      alter table open_delivery
        add constraint open_delivery_lease_whole check ((lease_token is null) = (lease_end is null))`.execute(
      db,
    );
  },
};
