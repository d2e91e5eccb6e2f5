import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/** Marks interactions that were created Completed or Expired. */
export const imports: Migration = {
  up: async (db) => {
    await sql`alter table interaction add column is_import boolean not null default false`.execute(db);
    // Nothing has changed an Expired one since its creation, and a Completed one was completed in that instant.
    await sql`
      update interaction set is_import = true
      where started_at is null
        and (status = 'Completed' and completed_at = created_at or status = 'Expired' and version = 1)`.execute(
      db,
    );
  },
};
