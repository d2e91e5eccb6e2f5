import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/**
 * The lease of a delivery is in columns that no index has, so taking one is an update within its page (HOT), and when it
 * is due does not change with it. How many of a webhook are under way stands in its lane. The leases that there are stay in
 * `due_at`, as those do that copies of the version before still take. See docs/decisions/0018.
 */
export const leases: Migration = {
  up: async (db) => {
    // In the order in which claims lock them.
    await sql`lock table lane, open_delivery in access exclusive mode`.execute(db);
    await sql`alter table open_delivery add column lease_end timestamptz`.execute(db);
    await sql`alter table open_delivery set (fillfactor = 50)`.execute(db);
    await sql`drop index open_delivery_waiting, open_delivery_leased, open_delivery_ended`.execute(db);
    // Partial, though it has every row: only who asks when something is due is to read by it, not the lists of the log.
    await sql`
      create index open_delivery_due on open_delivery (webhook_id, due_at) where due_at is not null`.execute(
      db,
    );
    await sql`create index open_delivery_ended on open_delivery (webhook_id) where state <> 'pending'`.execute(
      db,
    );
    await sql`
      alter table lane
        add column under_way int not null default 0,
        add column lapses_at timestamptz`.execute(db);
  },
};
