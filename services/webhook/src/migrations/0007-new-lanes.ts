import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/**
 * What a webhook leaves is ended in pages. A new webhook's first delivery has the same chance as those of receivers that answer; there is one until it is answered.
 */
export const newLanes: Migration = {
  up: async (db) => {
    await sql`alter table lane add column is_ending boolean not null default false`.execute(db);
    await sql`create index on lane (webhook_id) where is_ending`.execute(db);
    await sql`
      alter table lane alter column is_prompt set default true, alter column in_flight_max set default 1`.execute(
      db,
    );
  },
};
