import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

export const delayedSince: Migration = {
  up: async (db) => {
    await sql`alter table inbox_turn add column since timestamptz not null default now()`.execute(db);
  },
};
