import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** The line about privacy before the start of a conversation. */
export const privacyText: Migration = {
  up: async (db) => {
    await sql`alter table workspace add column privacy_text text`.execute(db);
  },
};
