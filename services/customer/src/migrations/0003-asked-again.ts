import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

export const askedAgain: Migration = {
  up: async (db) => {
    await sql`alter table anonymisation add column asked_again boolean not null default false`.execute(db);
  },
};
