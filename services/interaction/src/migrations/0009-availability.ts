import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/**
 * From when customers see an interaction, and what is due then and later. Only interactions that have something to
 * raise have a row. It stays until the interaction is deleted, because it says what was raised.
 */
export const availability: Migration = {
  up: async (db) => {
    await sql`alter table interaction add column available_from timestamptz`.execute(db);
    // Null for none, and for versions from before.
    await sql`alter table bot_version add column reminders int[]`.execute(db);
    await sql`
      create table availability (
        interaction_id uuid primary key references interaction on delete cascade,
        workspace_id uuid not null,
        available_at timestamptz not null,
        is_announcing boolean not null,
        is_announced boolean not null default false,
        reminders int[] not null,
        next_reminder int not null default 1,
        due_at timestamptz
      )`.execute(db);
    // What is due, the oldest first.
    await sql`create index on availability (due_at) where due_at is not null`.execute(db);
    // The same of one workspace, and which workspaces wait.
    await sql`create index on availability (workspace_id, due_at) where due_at is not null`.execute(db);
  },
};
