import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/** Marks events about test interactions. Test events have `is_test`. */
export const testInteractions: Migration = {
  up: async (db) => {
    await sql`alter table event add column is_test_interaction boolean not null default false`.execute(db);
  },
};
