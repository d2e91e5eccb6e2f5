import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

export const inactiveByPortal: Migration = {
  up: async (db) => {
    await sql`alter table webhook add column is_inactive_by_portal boolean not null default false`.execute(
      db,
    );
  },
};
