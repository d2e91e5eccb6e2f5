import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/** Finds the links of a key or a person. */
export const portalLinkMakers: Migration = {
  up: async (db) => {
    await sql`create index on portal_link (created_by)`.execute(db);
  },
};
