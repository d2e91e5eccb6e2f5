import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

export const presences: Migration = {
  up: async (db) => {
    // Without an index by age: a row is gone a minute after its tab, so the table is small.
    await sql`
      create table presence (
        bot_id uuid not null references bot on delete cascade,
        workspace_id uuid not null,
        person_id uuid not null,
        id uuid not null,
        opened_at timestamptz not null default date_trunc('milliseconds', now()),
        renewed_at timestamptz not null default now(),
        primary key (bot_id, person_id, id)
      )`.execute(db);
  },
};
