import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

export const redactedVersion: Migration = {
  up: async (db) => {
    await sql`alter table event add column redacted_version int`.execute(db);
    await sql`update event set redacted_version = 0 where replaced_at is not null`.execute(db);
    await sql`alter table event drop column replaced_at`.execute(db);
  },
};
