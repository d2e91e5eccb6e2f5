import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** Bodies that were put in place for events that never come are purged by their age too. */
export const putBodies: Migration = {
  up: async (db) => {
    await sql`alter table event add column put_at timestamptz`.execute(db);
    await sql`update event set put_at = now() where received_at is null`.execute(db);
    await sql`create index event_age on event (coalesce(received_at, put_at))`.execute(db);
    await sql`drop index event_received_at_idx`.execute(db);
  },
};
