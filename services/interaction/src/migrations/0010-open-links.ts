import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

export const openLinks: Migration = {
  up: async (db) => {
    await sql`
      create table open_link (
        id uuid primary key,
        workspace_id uuid not null,
        bot_id uuid not null references bot on delete cascade,
        name text not null,
        expires_at timestamptz,
        responses_max int,
        responses int not null default 0,
        context_keys text[] not null,
        is_closed boolean not null default false,
        is_test boolean not null default false,
        created_at timestamptz not null default date_trunc('milliseconds', now()),
        created_by text not null,
        version int not null default 1
      )`.execute(db);
    // The list of a bot, newest first (ids rise with time).
    await sql`create index on open_link (bot_id, id)`.execute(db);
  },
};
