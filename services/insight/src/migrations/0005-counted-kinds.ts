import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/**
 * Values of evaluation keys that `set` steps compute are counted, which were texts before: everything is counted again,
 * also by a build that is running.
 */
export const countedKinds: Migration = {
  up: async (db) => {
    await sql`delete from generation where state = 'building'`.execute(db);
    await sql`
      insert into generation (state) select 'building' where exists (select from freshness)`.execute(db);
  },
};
