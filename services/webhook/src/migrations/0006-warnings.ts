import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** Of which warnings of a webhook's being disabled have been given. */
export const warnings: Migration = {
  up: async (db) => {
    await sql`alter table lane add column warned_for timestamptz`.execute(db);
  },
};
