import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

export const retryPlan: Migration = {
  up: async (db) => {
    await sql`
      alter table open_delivery add column planned_at timestamptz,
        add column manual_attempts int not null default 0`.execute(db);
    await sql`alter table finished_delivery add column manual_attempts int not null default 0`.execute(db);
  },
};
